# Compares the abstract device with five MPI libraries; BENCH has the options of bench/adi/main.go.
bench-adi: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench/adi --prefix $(B) $(BENCH)
.PHONY: bench-adi
