package ldso

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"

	"wi4go/internal/elfobj"
)

// The layout of /etc/ld.so.cache in the format "glibc-ld.so.cache1.1" (glibc, dl-cache.h: struct
// cache_file_new and struct file_entry_new).
const (
	cacheMagic = "glibc-ld.so.cache1.1"
	// Sizes in bytes of the header and of an entry.
	cacheHeader = 48
	cacheEntry  = 24
	maxCache    = 64 << 20 // the most that is read, far above the size on any system
	maxPath     = 4096     // PATH_MAX
)

// cacheFile is the path to which ldconfig writes the cache.
const cacheFile = "/etc/ld.so.cache"

// Cache returns ld.so's cache as a map from soname to paths, best first. It reads the file once. It
// returns nil if there is none (another libc, a bare container).
var Cache = sync.OnceValue(func() map[string][]string {
	data, err := elfobj.Head(cacheFile, maxCache)
	if err != nil {
		return nil
	}
	return parseCache(data)
})

// parseCache returns the entries of a cache in data, without entries for special hardware
// capabilities. It returns nil if the format is unknown.
func parseCache(data []byte) map[string][]string {
	// A cache in the old format may precede the new one; offsets count from the magic.
	at := bytes.Index(data, []byte(cacheMagic))
	if at < 0 {
		return nil
	}
	data = data[at:]
	if len(data) < cacheHeader {
		return nil
	}
	count := int(binary.NativeEndian.Uint32(data[len(cacheMagic):]))
	all := string(data)
	text := func(offset uint32) string {
		if int(offset) >= len(all) {
			return ""
		}
		s, _, _ := strings.Cut(all[offset:min(len(all), int(offset)+maxPath)], "\x00")
		return s
	}
	cache := make(map[string][]string, min(count, len(data)/cacheEntry))
	for i := range count {
		start := cacheHeader + i*cacheEntry
		if start+cacheEntry > len(data) {
			break
		}
		entry := data[start:]
		name := text(binary.NativeEndian.Uint32(entry[4:]))
		path := text(binary.NativeEndian.Uint32(entry[8:]))
		if hwcap := binary.NativeEndian.Uint64(entry[16:]); name != "" && path != "" && hwcap == 0 {
			cache[name] = append(cache[name], path)
		}
	}
	return cache
}
