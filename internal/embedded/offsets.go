package embedded

// Offsets and sizes in the memory that the ranks share (embedded/adi/segment.h, adi_types.h), in bytes.
// tests/embedded/launcher compares them with the C.
const (
	magic = 0x3169646134677769

	// In the head.
	atMagic    = 0
	atRanks    = 16
	atBlocks   = 56
	atOver     = 128
	atOverRank = 132
	atOverCode = 136
	atCall     = 144

	// In the block of a rank, and in the description of a wait there.
	blockAsleep = 0
	blockBell   = 4
	blockPid    = 256
	blockEnded  = 260
	blockWaits  = 320
	blockBytes  = 1344
	waitBytes   = 256
	waitAnswer  = 8
	waitWords   = 16

	// In a struct MPID_Blocked.
	whyRequests  = 40
	whyPeers     = 44
	whyPeer      = 48
	whyComm      = 120
	whyThread    = 152
	whyNearTotal = 156
	whyNears     = 160
	whyThreads   = 164
	whyNear      = 168
	whyFull      = 200
	whyFullKB    = 204
	whyBytes     = 208

	// Bits of whyThreads.
	othersCall     = 1
	othersComplete = 2
	// Each rank describes this many waits, each with so many peers.
	mostWaits, mostPeers = 4, 4
)
