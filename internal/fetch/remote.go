package fetch

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// smallWheel is the size in bytes up to which a wheel is downloaded to read its metadata. Of a larger
// one only the metadata is read, on the server.
const smallWheel = 1 << 20

// remoteBlock is the least number of bytes that a remoteFile requests.
const remoteBlock = 64 << 10

// A remoteFile reads parts of a file on a server that supports it (RFC 9110, 14).
type remoteFile struct {
	ctx     context.Context
	client  *http.Client
	address string
	size    int64  // size of the file in bytes
	start   int64  // position of block
	block   []byte // the bytes that were requested last
}

// ReadAt reads from the last block, or requests another one.
func (r *remoteFile) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at >= r.size {
		return 0, io.EOF
	}
	end := min(at+int64(len(p)), r.size)
	if at < r.start || end > r.start+int64(len(r.block)) {
		if err := r.request(min(at, max(0, r.size-remoteBlock)), max(end, min(at+remoteBlock, r.size))); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.block[at-r.start:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// request makes the bytes from start to end the last block.
func (r *remoteFile) request(start, end int64) error {
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", start, end-1))
	response, err := r.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusPartialContent || response.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", start, end-1, r.size) {
		return fmt.Errorf("the server sends no parts of files: %s", response.Status)
	}
	block := make([]byte, end-start)
	if _, err := io.ReadFull(response.Body, block); err != nil {
		return err
	}
	r.start, r.block = start, block
	return nil
}

// remoteDependencies returns the dependencies of a wheel of size bytes on the server, and sets its
// sizes. It returns a damagedError if the metadata is invalid, and another error if the server does
// not send it.
func (x *Index) remoteDependencies(ctx context.Context, f *file, size int64) ([]dependency, error) {
	archive, err := remoteArchive(ctx, x.Client, f.Address, size)
	if err != nil {
		return nil, err
	}
	f.Size, f.unpacked = size, unpackedSize(archive)
	for _, member := range archive.File {
		if !strings.HasSuffix(member.Name, ".dist-info/METADATA") {
			continue
		}
		in, err := member.Open()
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return dependenciesIn(in, f.Name)
	}
	return nil, nil
}

// remoteArchive returns an archive of size bytes on a server.
func remoteArchive(ctx context.Context, client *http.Client, address string, size int64) (*zip.Reader, error) {
	return zip.NewReader(&remoteFile{ctx: ctx, client: client, address: address, size: size}, size)
}

// unpackedSize returns the size of the files in an archive, in bytes.
func unpackedSize(archive *zip.Reader) (size int64) {
	for _, member := range archive.File {
		size += int64(member.UncompressedSize64)
	}
	return size
}

// describe returns the sizes of a file. In dir, the file or a part of it may be there already.
func (x *Index) describe(ctx context.Context, f file, dir string) Wheel {
	if archive, err := zip.OpenReader(filepath.Join(dir, f.Name)); err == nil {
		defer archive.Close()
		return Wheel{f.Name, 0, unpackedSize(&archive.Reader)}
	}
	size := f.Size
	if size == 0 {
		size = remoteSize(ctx, x.Client, f.Address)
	}
	if info, err := os.Stat(filepath.Join(dir, f.Name+".part")); err == nil {
		size = max(0, size-info.Size())
	}
	return Wheel{f.Name, size, f.unpacked}
}

// remoteSize returns the size of a file on a server, in bytes, or 0 if the server does not report it.
func remoteSize(ctx context.Context, client *http.Client, address string) int64 {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return 0
	}
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	if err := errors.Join(response.Body.Close()); err != nil || response.StatusCode != http.StatusOK {
		return 0
	}
	return max(0, response.ContentLength)
}
