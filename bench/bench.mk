# Measurements. BENCH has the options of the command.

bench: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench --prefix $(B) $(BENCH)

# The same for every function. Fails if one exceeds its goal, or 250 without a reason (bench/every).
bench-all: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench --prefix $(B) --all $(BENCH)

# Measures wi4go and other translation layers. The variables PEER_MPI_ABI_WRAPPER, PEER_MUKAUTUVA,
# PEER_MPITRAMPOLINE with PEER_MPIWRAPPER, and PEER_WI4MPI name the directories of their sources.
peers: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench --prefix $(B) --peers $(BENCH)

# Compare the abstract device and the embedded MPI with five MPI libraries; BENCH has the options of bench/onehost/main.go.
bench-adi bench-embedded: bench-%: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench/onehost --of $* --prefix $(B) $(BENCH)
.PHONY: bench bench-all peers bench-adi bench-embedded
