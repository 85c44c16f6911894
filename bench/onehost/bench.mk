# Compare the abstract device and the embedded MPI with five MPI libraries; BENCH has the options of bench/onehost/main.go.
bench-adi bench-embedded: bench-%: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench/onehost --of $* --prefix $(B) $(BENCH)
.PHONY: bench-adi bench-embedded
