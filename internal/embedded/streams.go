package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// This file passes the output of the ranks. A program writes its buffer when it is full, in the middle of a line, so lines of several
// ranks in one file or pipe would be torn. The launcher has a pipe from each rank, and writes whole lines.
//
// An incomplete line stays in memory. It is written if it is long, if its rank ends, or, because it may be a prompt, if the rank writes
// nothing more for a short time after a write that has not just emptied a full buffer. The rank then has the output for itself until it
// has completed the line, or for the time of ownLine at most.
//
// Ranks at a terminal, and a single rank, write to the file themselves.

const (
	mostHeld  = 64 << 10              // bytes of an incomplete line in memory
	quiet     = 50 * time.Millisecond // after this time without output, an incomplete line is written
	ownLine   = time.Second           // how long the other ranks wait for the end of a line
	fullWrite = 4096                  // the buffers of stdio are of this size or a multiple
	pipeBytes = 256 << 10             // size of the pipe from a rank
	settleFor = 20 * time.Millisecond // how long a message of the launcher waits for the output before it
	readBytes = 256 << 10             // read at once
	fewRanks  = 64                    // whose pipes may be larger than usual
)

// streams are the input and output of a job.
type streams struct {
	in, out, err *os.File
	toOut, toErr *output // nil: the ranks have the file itself; may be the same
	labels       bool
	width        int // digits of the largest rank
	few          bool
	sources      []*source
	writing      []*os.File // the ranks' ends of the pipes of the rank that is being started
	readers      sync.WaitGroup
}

// newStreams returns the streams of n ranks.
func newStreams(in, out, err *os.File, labels bool, n int) (*streams, error) {
	s := &streams{in: in, out: out, err: err, labels: labels, width: len(strconv.Itoa(n - 1)), few: n <= fewRanks}
	outKind, outFile := kindOf(out)
	errKind, errFile := kindOf(err)
	collects := func(kind uint32) bool {
		return labels || n > 1 && (kind == unix.S_IFIFO || kind == unix.S_IFREG || kind == unix.S_IFSOCK)
	}
	pipes := 0
	if collects(outKind) {
		s.toOut = newOutput(out, labels)
		pipes++
	}
	if collects(errKind) {
		s.toErr = s.toOut
		if s.toOut == nil || outFile != errFile {
			s.toErr = newOutput(err, labels)
			pipes++
		}
	}
	const own = 32 // descriptors of the launcher itself
	var limit unix.Rlimit
	if need := uint64(pipes*n + own); unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil && need > limit.Cur {
		if labels {
			return nil, fmt.Errorf("-l needs %d descriptors for the output of %d ranks, and the limit is %d; raise the limit (ulimit -n), or leave out -l", need, n, limit.Cur)
		}
		s.toOut, s.toErr = nil, nil
	}
	return s, nil
}

// A fileID identifies a file.
type fileID struct{ device, inode uint64 }

// kindOf returns the type of a file, as in the mode, and its identity; 0 if it is closed.
func kindOf(f *os.File) (kind uint32, id fileID) {
	var stat unix.Stat_t
	if unix.Fstat(int(f.Fd()), &stat) != nil {
		return 0, id
	}
	return stat.Mode & unix.S_IFMT, fileID{uint64(stat.Dev), stat.Ino}
}

// of returns the streams of a rank. Rank 0 reads the launcher's input. The caller must call started when the rank has them.
func (s *streams) of(rank int) (in, out, err *os.File, failure error) {
	if rank == 0 {
		in = s.in
	}
	out, err = s.out, s.err
	if s.toOut != nil {
		if out, failure = s.open(rank, s.toOut); failure != nil {
			return
		}
	}
	switch {
	case s.toErr == nil:
	case s.toErr == s.toOut:
		err = out
	default:
		err, failure = s.open(rank, s.toErr)
	}
	return
}

// open returns the rank's end of a new pipe to an output.
func (s *streams) open(rank int, to *output) (*os.File, error) {
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for the output of rank %d: %w", rank, err)
	}
	if s.few {
		unix.FcntlInt(writing.Fd(), unix.F_SETPIPE_SZ, pipeBytes) // ignore errors: a smaller one is slower
	}
	from := &source{to: to, pipe: reading}
	if s.labels {
		from.label = fmt.Sprintf("[%*d] ", s.width, rank)
	}
	s.sources = append(s.sources, from)
	s.writing = append(s.writing, writing)
	s.readers.Go(from.read)
	return writing, nil
}

// started closes the launcher's copies of the descriptors that a rank has now.
func (s *streams) started() {
	for _, f := range s.writing {
		f.Close()
	}
	s.writing = nil
}

// broken reports whether the reader of the output has gone.
func (s *streams) broken() bool {
	for _, f := range []*os.File{s.out, s.err} {
		one := []unix.PollFd{{Fd: int32(f.Fd())}}
		if n, err := unix.Poll(one, 0); n > 0 && err == nil && one[0].Revents&unix.POLLERR != 0 {
			return true
		}
	}
	return false
}

// settle waits a moment for the output that the ranks have written so far, so that a message comes after it.
func (s *streams) settle() {
	for end := time.Now().Add(settleFor); time.Now().Before(end); time.Sleep(time.Millisecond) {
		rest := false
		for _, from := range s.sources {
			rest = rest || from.flush() || from.waits()
		}
		if !rest {
			return
		}
	}
}

// finish waits until the output of the ranks is written, or a signal comes. No rank is left.
func (s *streams) finish(signals <-chan os.Signal) {
	done := make(chan struct{})
	go func() {
		s.readers.Wait()
		close(done)
	}()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-done:
			return
		case <-signals:
			return
		case <-look.C: // a process of another job may hold a pipe
			for _, from := range s.sources {
				if !from.waits() {
					from.pipe.SetReadDeadline(time.Now())
				}
			}
		}
	}
}

// An output is a file to which several ranks write. Its lock protects its sources too.
type output struct {
	fd     int
	labels bool
	lock   sync.Mutex
	turn   sync.Cond // the owner has changed
	owner  *source   // has begun a line, and may go on with it; or nil
	owners int       // number of owners so far
	last   *source   // the text at the end of the output is an incomplete line of it; or nil
	buffer []byte    // for reads
	text   []byte    // for lines with labels
	err    error     // the first error; nothing is written after it
}

func newOutput(to *os.File, labels bool) *output {
	o := &output{fd: int(to.Fd()), labels: labels, buffer: make([]byte, readBytes)}
	o.turn.L = &o.lock
	return o
}

// A source is the output of one rank to one file.
type source struct {
	to    *output
	pipe  *os.File
	label string
	held  []byte      // an incomplete line
	begun bool        // the beginning of the line is written
	free  bool        // the line has had the output for itself long enough
	cr    bool        // with labels: the line before has ended with "\r", and "\n" may belong to it
	timer *time.Timer // writes held, or nil before the first use
}

// read passes all output of the rank.
func (s *source) read() {
	o := s.to
	connection, err := s.pipe.SyscallConn()
	for err == nil {
		n := 0
		var failure error
		err = connection.Read(func(fd uintptr) bool {
			o.lock.Lock()
			defer o.lock.Unlock()
			for o.owner != nil && o.owner != s && o.err == nil {
				if unread(int(fd)) == 0 {
					break
				}
				o.turn.Wait()
			}
			for {
				n, failure = unix.Read(int(fd), o.buffer)
				if failure != unix.EINTR {
					break
				}
			}
			if failure == unix.EAGAIN {
				return false
			}
			if n > 0 {
				s.take(o.buffer[:n])
			}
			return true
		})
		if n <= 0 || failure != nil || o.failed() {
			break
		}
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	s.pipe.Close()
	s.writeHeld()
	if o.labels && o.last == s {
		o.write([]byte("\n"))
		o.last = nil
	}
	s.begun = false
	s.disown()
}

// unread returns the number of bytes in a pipe.
func unread(fd int) int {
	n, _ := unix.IoctlGetInt(fd, unix.TIOCINQ)
	return n
}

// waits reports whether the rank has written bytes that are not read yet.
func (s *source) waits() (rest bool) {
	if connection, err := s.pipe.SyscallConn(); err == nil {
		connection.Control(func(fd uintptr) { rest = unread(int(fd)) > 0 })
	}
	return rest
}

// flush writes an incomplete line, and reports whether it cannot because other output is being written.
func (s *source) flush() (busy bool) {
	if !s.to.lock.TryLock() {
		return true
	}
	defer s.to.lock.Unlock()
	if s.to.owner != nil && s.to.owner != s {
		return true
	}
	if len(s.held) > 0 {
		s.writeHeld()
		s.own()
	}
	return false
}

// failed reports whether the output has had an error.
func (o *output) failed() bool {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.err != nil
}

// take writes the lines that a rank has completed, and holds the rest.
func (s *source) take(data []byte) {
	o := s.to
	end := bytes.LastIndexByte(data, '\n') + 1
	if o.labels {
		end = bytes.LastIndexAny(data, "\r\n") + 1
	}
	if end > 0 {
		s.writeHeld()
		s.put(data[:end])
		s.begun, s.free = false, false
		s.disown()
	}
	rest := data[end:]
	if len(rest) == 0 {
		return
	}
	if s.begun || len(s.held)+len(rest) > mostHeld {
		s.writeHeld()
		s.put(rest)
		s.own()
		return
	}
	s.held = append(s.held, rest...)
	if len(data)%fullWrite != 0 {
		s.wait()
	} else if s.timer != nil {
		s.timer.Stop()
	}
}

// wait lets the incomplete line be written after some time.
func (s *source) wait() {
	if s.timer == nil {
		s.timer = time.AfterFunc(quiet, s.writePrompt)
		return
	}
	s.timer.Reset(quiet)
}

// writePrompt writes the incomplete line when the rank has been quiet for some time.
func (s *source) writePrompt() {
	o := s.to
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.owner != nil && o.owner != s {
		s.wait()
		return
	}
	if len(s.held) > 0 {
		s.writeHeld()
		s.own()
	}
}

// writeHeld writes the incomplete line.
func (s *source) writeHeld() {
	if len(s.held) > 0 {
		s.put(s.held)
		s.held, s.begun = s.held[:0], true
	}
	if cap(s.held) > fullWrite {
		s.held = nil
	}
}

// own gives the output to the rank for its line.
func (s *source) own() {
	o := s.to
	s.begun = true
	if o.owner == s || s.free {
		return
	}
	o.owner = s
	o.owners++
	number := o.owners
	time.AfterFunc(ownLine, func() {
		o.lock.Lock()
		defer o.lock.Unlock()
		if o.owner == s && o.owners == number {
			s.free = true
			s.disown()
		}
	})
}

// disown lets other ranks write.
func (s *source) disown() {
	if s.to.owner == s {
		s.to.owner = nil
		s.to.turn.Broadcast()
	}
}

// put writes text of a rank, with labels if the job has them.
func (s *source) put(text []byte) {
	o := s.to
	if !o.labels {
		o.write(text)
		return
	}
	o.text = o.text[:0]
	if o.last != nil && o.last != s {
		o.text = append(o.text, '\n')
		o.last = nil
	}
	for len(text) > 0 {
		if s.cr && text[0] == '\n' && o.last == s {
			o.text, text, o.last = append(o.text, '\n'), text[1:], nil
			continue
		}
		end := bytes.IndexAny(text, "\r\n") + 1
		if end == 0 {
			end = len(text)
		} else if text[end-1] == '\r' && end < len(text) && text[end] == '\n' {
			end++
		}
		if o.last != s || s.cr {
			o.text = append(o.text, s.label...)
		}
		o.text = append(o.text, text[:end]...)
		s.cr, o.last = text[end-1] == '\r', s
		if text[end-1] == '\n' {
			o.last = nil
		}
		text = text[end:]
	}
	o.write(o.text)
}

// write writes all bytes. After an error the ranks get it too: their pipes are closed.
func (o *output) write(text []byte) {
	for len(text) > 0 && o.err == nil {
		n, err := unix.Write(o.fd, text)
		switch {
		case err == unix.EAGAIN:
			unix.Poll([]unix.PollFd{{Fd: int32(o.fd), Events: unix.POLLOUT}}, -1) // ignore errors: write has them too
		case err == unix.EINTR:
		case err != nil:
			o.err = err
			o.turn.Broadcast()
			if !errors.Is(err, syscall.EPIPE) {
				fmt.Fprintf(os.Stderr, "wi4go: the output of the ranks cannot be written: %v\n", err)
			}
		default:
			text = text[n:]
		}
	}
}
