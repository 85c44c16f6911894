package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

// unlimited is the limit of a download that may have any size.
const unlimited = math.MaxInt64

// A largeError means that a file exceeds the limit of a download, and that its server sends parts of
// files. size is the file's size in bytes.
type largeError struct{ size int64 }

// Error returns the size.
func (e *largeError) Error() string { return fmt.Sprintf("the file has %d bytes", e.size) }

// checkHash returns an error if the index publishes no hash for a file.
func (x *Index) checkHash(f file) error {
	if f.Hashes.SHA256 == "" {
		return fmt.Errorf("the package index %s publishes no sha256 for %s, so wi4go cannot check it: name another index with --index-url", x.host(), f.Name)
	}
	return nil
}

// download downloads one file to to. It resumes an earlier attempt, retries broken transfers,
// and renames the file to its final name only if its hash is right. It returns a largeError for a
// file of more than limit bytes of which nothing is there yet.
func (x *Index) download(ctx context.Context, f file, to string, limit int64) error {
	if err := x.checkHash(f); err != nil {
		return err
	}
	if sum, err := sumOf(to); err == nil && sum == f.Hashes.SHA256 {
		return nil
	}
	part := to + ".part"
	const tries = 4
	for try := 1; ; try++ {
		resumed, err := x.transfer(ctx, f, part, limit)
		if err == nil {
			var sum string
			if sum, err = sumOf(part); err != nil {
				return err
			}
			if sum == f.Hashes.SHA256 {
				return os.Rename(part, to)
			}
			if err := os.Remove(part); err != nil {
				return err
			}
			if resumed && try < tries { // the beginning may be from another file
				continue
			}
			return fmt.Errorf("%s: the downloaded file does not match the hash of the package index (sha256 %s, got %s); nothing was "+
				"installed: run the command again", f.Name, f.Hashes.SHA256, sum)
		}
		var broken *brokenError
		if ctx.Err() != nil || try == tries || !errors.As(err, &broken) {
			var local *os.PathError
			if errors.As(err, &local) { // leaves no partial file on a full disk
				os.Remove(part)
			}
			return x.failure(ctx, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try) * retryDelay):
		}
	}
}

// retryDelay is the wait before the second attempt. Later waits are multiples of it.
var retryDelay = time.Second

// A brokenError is an interrupted transfer, which can be resumed.
type brokenError struct{ error }

// Unwrap returns the cause.
func (e *brokenError) Unwrap() error { return e.error }

// transfer appends the missing bytes of a file to part, and reports whether it resumed an
// earlier transfer. limit is as for download.
func (x *Index) transfer(ctx context.Context, f file, part string, limit int64) (resumed bool, err error) {
	have := int64(0)
	if info, err := os.Stat(part); err == nil {
		have = info.Size()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.Address, nil)
	if err != nil {
		return false, err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := x.Client.Do(request)
	if err != nil {
		return false, &brokenError{err}
	}
	defer response.Body.Close()
	mode := os.O_APPEND
	switch response.StatusCode {
	case http.StatusPartialContent:
		if !strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)) {
			return true, errors.Join(os.Remove(part), &brokenError{errors.New("the server sent another part of the file than requested")})
		}
	case http.StatusRequestedRangeNotSatisfiable: // part is already complete, or too long
		return true, nil
	case http.StatusOK:
		if have == 0 && response.ContentLength > limit && response.Header.Get("Accept-Ranges") == "bytes" {
			return false, &largeError{response.ContentLength}
		}
		have, mode = 0, os.O_TRUNC
	default:
		return false, fmt.Errorf("cannot download %s: the server answers %s", f.Name, response.Status)
	}
	if err := fits(filepath.Dir(part), response.ContentLength); err != nil {
		return false, err
	}
	out, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|mode, 0o644)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(x.shown(out, f, have, response.ContentLength), readBroken{response.Body})
	return have > 0, err
}

// shown returns a writer to out that shows the progress of a file, of which have bytes are there and
// missing bytes follow; missing is -1 if unknown.
func (x *Index) shown(out io.Writer, f file, have, missing int64) io.Writer {
	if x.Progress == nil {
		return out
	}
	total := missing
	if total > 0 {
		total += have
	}
	name := wheelName.FindStringSubmatch(f.Name)
	bar := progressbar.NewOptions64(total, progressbar.OptionSetWriter(x.Progress), progressbar.OptionSetDescription(name[1]+" "+name[2]),
		progressbar.OptionShowBytes(true), progressbar.OptionSetWidth(20), progressbar.OptionFullWidth(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionOnCompletion(func() { fmt.Fprintln(x.Progress) }))
	if have > 0 {
		_ = bar.Set64(have) // a failing display must not stop the download
	}
	return io.MultiWriter(out, bar)
}

// readBroken is a reader that marks its errors as brokenError.
type readBroken struct{ io.Reader }

// Read reads from the connection.
func (r readBroken) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &brokenError{err}
	}
	return n, err
}

// sumOf returns the SHA-256 sum of a file, in hexadecimal.
func sumOf(file string) (string, error) {
	in, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
