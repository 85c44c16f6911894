package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
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
	client, err := NewClient(proxy, certificates)
	if err != nil {
		return nil, err
	}
	return &Index{URL: address, Client: client, Machine: machine, Progress: progress}, nil
}

// NewClient returns a client with pip's proxy and certificates (a file), or the system's if they are
// empty. It returns an error for an invalid proxy or file.
func NewClient(proxy, certificates string) (*http.Client, error) {
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
	return &http.Client{Transport: transport}, nil
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

	Size     int64 `json:"size"` // size in bytes (PEP 700), or 0 if unknown
	unpacked int64 // size of the files in it, or 0 if unknown
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

// files returns the wheels of a package that run on this machine, and the names of its files that
// do not.
func (x *Index) files(ctx context.Context, name string) (usable []file, unfit []string, err error) {
	address := strings.TrimRight(x.URL, "/") + "/" + normalize(name) + "/"
	answer, err := x.page(ctx, address, "package "+name,
		"application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1")
	if err != nil {
		return nil, nil, err
	}
	var list []file
	if strings.HasSuffix(answer.kind, "json") {
		var content struct {
			Files []file `json:"files"`
		}
		if err := json.Unmarshal(answer.body, &content); err != nil {
			return nil, nil, fmt.Errorf("the package index %s has an invalid page for %s: %w: name another index with --index-url", x.host(), name, err)
		}
		list = content.Files
	} else {
		list = links(string(answer.body))
	}
	for _, f := range list {
		u, err := answer.url.Parse(f.Address)
		if err != nil || !x.Machine.Runs(f.Name) {
			unfit = append(unfit, f.Name)
			continue
		}
		if f.Hashes.SHA256 == "" {
			f.Hashes.SHA256 = strings.TrimPrefix(u.Fragment, "sha256=")
		}
		u.Fragment = ""
		f.Address = u.String()
		usable = append(usable, f)
	}
	return usable, unfit, nil
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
	files, unfit, err := x.files(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 && len(unfit) > 0 {
		return nil, fmt.Errorf("the package index has no %s for this machine: %s: name another index with --index-url", name, x.Machine.lacks(unfit))
	}
	var versions []string
	for _, f := range files {
		if !isSet(f.Yanked) && !slices.Contains(versions, f.version()) {
			versions = append(versions, f.version())
		}
	}
	return versions, nil
}

// Fetch finds the wheels and all their dependencies by their metadata, then downloads them, unless
// admit returns an error. Only small wheels, and wheels of servers that send no parts of files, are
// downloaded to read their metadata.
func (x *Index) Fetch(ctx context.Context, requirements []Requirement, dir string, admit func([]Wheel) error) ([]string, error) {
	files, err := x.resolve(ctx, requirements, dir)
	if err != nil {
		return nil, err
	}
	var described []Wheel
	for i := range files {
		if err := x.checkHash(files[i]); err != nil {
			return nil, err
		}
		described = append(described, x.describe(ctx, files[i], dir))
	}
	if err := admit(described); err != nil {
		return nil, err
	}
	var wheels []string
	for _, f := range files {
		wheel := filepath.Join(dir, f.Name)
		if err := x.download(ctx, f, wheel, unlimited); err != nil {
			return nil, err
		}
		wheels = append(wheels, wheel)
	}
	return wheels, nil
}

// resolve returns the files of the requirements and of all their dependencies.
func (x *Index) resolve(ctx context.Context, requirements []Requirement, dir string) ([]file, error) {
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
		more, err := x.dependencies(ctx, &f, dir)
		if err != nil {
			return nil, err
		}
		files, pending = append(files, f), append(pending, more...)
	}
	return files, nil
}

// dependencies returns the dependencies of a file: from its separate metadata if the index
// offers them, from the wheel on the server if that is large, else from the wheel, which it
// downloads into dir. It sets the sizes of f if it reads the wheel on the server.
func (x *Index) dependencies(ctx context.Context, f *file, dir string) ([]dependency, error) {
	if isSet(f.Core) || isSet(f.Older) {
		if text, err := x.page(ctx, f.Address+".metadata", "the metadata of "+f.Name, ""); err == nil {
			return dependenciesIn(bytes.NewReader(text.body), f.Name)
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	wheel := filepath.Join(dir, f.Name)
	err := x.download(ctx, *f, wheel, smallWheel)
	var large *largeError
	if !errors.As(err, &large) {
		if err != nil {
			return nil, err
		}
		return dependencies(wheel)
	}
	found, err := x.remoteDependencies(ctx, f, large.size)
	var damaged *damagedError
	switch {
	case err == nil, errors.As(err, &damaged), ctx.Err() != nil:
		return found, err
	}
	if err := x.download(ctx, *f, wheel, unlimited); err != nil {
		return nil, err
	}
	return dependencies(wheel)
}

// best returns the newest file that satisfies a dependency; a final version wins over a
// pre-release. It returns an error if there is none.
func (x *Index) best(ctx context.Context, d dependency) (file, error) {
	files, _, err := x.files(ctx, d.name)
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
