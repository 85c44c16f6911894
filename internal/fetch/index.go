package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/net/html"
)

// An Index is a package index that implements the simple API, as HTML (PEP 503) or as JSON (PEP
// 691).
type Index struct {
	URL      string       // address of the index
	Client   *http.Client // client for all requests
	Machine  Machine      // machine that wheels must run on
	Progress io.Writer    // terminal for progress bars, or nil
}

// NewIndex returns the index at address. proxy and certificates (a file) are settings of pip;
// if they are empty, the system's settings apply. NewIndex returns an error for an invalid
// address, proxy or certificate file.
func NewIndex(address, proxy, certificates string, machine Machine, progress io.Writer) (*Index, error) {
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("--index-url %s: not a package index: give its http:// or https:// address", address)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if proxy != "" {
		if !strings.Contains(proxy, "://") {
			proxy = "http://" + proxy
		}
		u, err := url.Parse(proxy)
		if err != nil {
			return nil, fmt.Errorf("pip's proxy: %w", err)
		}
		transport.Proxy = http.ProxyURL(u)
	}
	if certificates != "" {
		pem, err := os.ReadFile(certificates)
		if err != nil {
			return nil, fmt.Errorf("pip's certificates: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("pip's certificates: %s contains none: correct PIP_CERT, or pip's setting cert", certificates)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	transport.ResponseHeaderTimeout = time.Minute
	return &Index{URL: address, Client: &http.Client{Transport: transport}, Machine: machine, Progress: progress}, nil
}

// A file is a wheel that an index offers.
type file struct {
	Name    string `json:"filename"` // file name
	Address string `json:"url"`      // URL of the file
	Hashes  struct {
		SHA256 string `json:"sha256"` // expected hash, in hexadecimal
	} `json:"hashes"`
	Yanked any `json:"yanked"` // withdrawn: false, true, or the reason
	// Core is true if the index offers the wheel's metadata as a separate file (PEP 714). Older
	// has the older name of the key (PEP 658). Each is false, true, or the metadata's hashes.
	Core  any `json:"core-metadata"`
	Older any `json:"dist-info-metadata"`
}

// isSet reports whether a field is set that is a boolean or has further information.
func isSet(field any) bool { return field != nil && field != false }

// version returns the version in the file's name.
func (f file) version() string { return wheelName.FindStringSubmatch(f.Name)[2] }

// maxPage is the largest size of a page, in bytes.
const maxPage = 64 << 20

// A page is an answer of the index.
type page struct {
	body []byte   // content
	kind string   // media type
	url  *url.URL // address after redirections
}

// page returns the page at address. what names its subject in errors; accept is the Accept
// header, or "".
func (x *Index) page(ctx context.Context, address, description, accept string) (page, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return page{}, err
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	response, err := x.Client.Do(request)
	if err != nil {
		return page{}, x.failure(ctx, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return page{}, fmt.Errorf("the package index %s has no %s: name another index with --index-url", x.host(), description)
	default:
		return page{}, fmt.Errorf("the package index %s answers %s for the %s", x.host(), response.Status, description)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPage+1))
	if err != nil {
		return page{}, x.failure(ctx, err)
	}
	if len(body) > maxPage {
		return page{}, fmt.Errorf("the package index %s sends more than %d MiB for the %s", x.host(), maxPage>>20, description)
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")) // "" means HTML
	return page{body, kind, response.Request.URL}, nil
}

// files returns the wheels of a package that run on this machine.
func (x *Index) files(ctx context.Context, name string) ([]file, error) {
	address := strings.TrimRight(x.URL, "/") + "/" + normalize(name) + "/"
	answer, err := x.page(ctx, address, "package "+name,
		"application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1")
	if err != nil {
		return nil, err
	}
	var list []file
	if strings.HasSuffix(answer.kind, "json") {
		var content struct {
			Files []file `json:"files"`
		}
		if err := json.Unmarshal(answer.body, &content); err != nil {
			return nil, fmt.Errorf("the package index %s has an invalid page for %s: %w: name another index with --index-url", x.host(), name, err)
		}
		list = content.Files
	} else {
		list = links(string(answer.body))
	}
	usable := list[:0]
	for _, f := range list {
		u, err := answer.url.Parse(f.Address)
		if err != nil || !x.Machine.Runs(f.Name) {
			continue
		}
		if f.Hashes.SHA256 == "" {
			f.Hashes.SHA256 = strings.TrimPrefix(u.Fragment, "sha256=")
		}
		u.Fragment = ""
		f.Address = u.String()
		usable = append(usable, f)
	}
	return usable, nil
}

// links returns the wheels in the anchors of an HTML page of the simple API.
func links(page string) []file {
	var list []file
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return list
		case html.StartTagToken:
			t := tokens.Token()
			if t.Data != "a" {
				continue
			}
			var f file
			for _, a := range t.Attr {
				switch a.Key {
				case "href":
					f.Address = a.Val
					if u, err := url.Parse(a.Val); err == nil {
						f.Name = path.Base(u.Path)
					}
				case "data-yanked":
					f.Yanked = a.Val
				case "data-core-metadata", "data-dist-info-metadata":
					f.Core = a.Val != "false"
				}
			}
			list = append(list, f)
		}
	}
}

// Versions returns the versions that have a wheel for this machine and were not withdrawn.
func (x *Index) Versions(ctx context.Context, name string) ([]string, error) {
	files, err := x.files(ctx, name)
	if err != nil {
		return nil, err
	}
	var versions []string
	for _, f := range files {
		if !isSet(f.Yanked) && !slices.Contains(versions, f.version()) {
			versions = append(versions, f.version())
		}
	}
	return versions, nil
}

// Fetch finds the wheels and all their dependencies, then downloads them. If the index offers
// the metadata as separate files, a missing package is detected before the first download.
func (x *Index) Fetch(ctx context.Context, requirements []Requirement, dir string) ([]string, error) {
	var pending []dependency
	for _, r := range requirements {
		pending = append(pending, dependency{r.Name, "==" + r.Version})
	}
	have := map[string]bool{}
	var files []file
	for len(pending) > 0 {
		d := pending[0]
		pending = pending[1:]
		if have[normalize(d.name)] {
			continue
		}
		have[normalize(d.name)] = true
		f, err := x.best(ctx, d)
		if err != nil {
			// If the requested packages were found, a dependency is missing.
			if len(files) >= len(requirements) && ctx.Err() == nil {
				err = &lackingError{err}
			}
			return nil, err
		}
		more, err := x.dependencies(ctx, f, dir)
		if err != nil {
			return nil, err
		}
		files, pending = append(files, f), append(pending, more...)
	}
	var wheels []string
	for _, f := range files {
		wheel := filepath.Join(dir, f.Name)
		if err := x.download(ctx, f, wheel); err != nil {
			return nil, err
		}
		wheels = append(wheels, wheel)
	}
	return wheels, nil
}

// dependencies returns the dependencies of a file: from its separate metadata if the index
// offers them, else from the wheel, which it downloads into dir.
func (x *Index) dependencies(ctx context.Context, f file, dir string) ([]dependency, error) {
	if isSet(f.Core) || isSet(f.Older) {
		if text, err := x.page(ctx, f.Address+".metadata", "the metadata of "+f.Name, ""); err == nil {
			return dependenciesIn(bytes.NewReader(text.body), f.Name)
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	wheel := filepath.Join(dir, f.Name)
	if err := x.download(ctx, f, wheel); err != nil {
		return nil, err
	}
	return dependencies(wheel)
}

// best returns the newest file that satisfies a dependency; a final version wins over a
// pre-release. It returns an error if there is none.
func (x *Index) best(ctx context.Context, d dependency) (file, error) {
	files, err := x.files(ctx, d.name)
	if err != nil {
		return file{}, err
	}
	files = slices.DeleteFunc(files, func(f file) bool { return !satisfies(f.version(), d.specifiers) })
	if len(files) == 0 {
		return file{}, fmt.Errorf("the package index %s has no %s %s for this machine", x.host(), d.name, d.specifiers)
	}
	return slices.MaxFunc(files, func(a, b file) int {
		if final := isFinal(a.version()); final != isFinal(b.version()) {
			return map[bool]int{true: 1, false: -1}[final]
		}
		return compareVersions(a.version(), b.version())
	}), nil
}

// download downloads one file to to. It resumes an earlier attempt, retries broken transfers,
// and renames the file to its final name only if its hash is right.
func (x *Index) download(ctx context.Context, f file, to string) error {
	if f.Hashes.SHA256 == "" {
		return fmt.Errorf("the package index %s publishes no sha256 for %s, so wi4go cannot check it: name another index with --index-url", x.host(), f.Name)
	}
	if sum, err := sumOf(to); err == nil && sum == f.Hashes.SHA256 {
		return nil
	}
	part := to + ".part"
	const tries = 4
	for try := 1; ; try++ {
		resumed, err := x.transfer(ctx, f, part)
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
// earlier transfer.
func (x *Index) transfer(ctx context.Context, f file, part string) (resumed bool, err error) {
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
		have, mode = 0, os.O_TRUNC
	default:
		return false, fmt.Errorf("cannot download %s: the server answers %s", f.Name, response.Status)
	}
	out, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|mode, 0o644)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	var sink io.Writer = out
	if x.Progress != nil {
		total := response.ContentLength
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
		sink = io.MultiWriter(out, bar)
	}
	_, err = io.Copy(sink, readBroken{response.Body})
	return have > 0, err
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

// failure returns err with the name of the index if it is a network error, or the context's
// error if that has ended.
func (x *Index) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var remote *url.Error
	var broken *brokenError
	switch {
	case errors.As(err, &remote):
		return fmt.Errorf("cannot reach the package index %s: %w", x.host(), remote.Err)
	case errors.As(err, &broken):
		return fmt.Errorf("the package index %s broke off the transfer: %w; the same command resumes it", x.host(), broken.error)
	}
	return err
}

// host returns the address of the index without its password.
func (x *Index) host() string {
	u, err := url.Parse(x.URL)
	if err != nil {
		return x.URL
	}
	return u.Redacted()
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
