package integration

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// meter measures a controller in a process of its own: its requests to the API server, what they
// answer, and its processor time.
type meter struct {
	*world
	p               *process
	requests, bytes atomic.Int64
}

func newMeter(t *testing.T) *meter {
	m := &meter{world: newWorld(t, ownServer(t))}
	m.stop()
	target, err := url.Parse(m.cluster.Host)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 200}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "" {
			m.requests.Add(1)
			rw = &counted{rw, &m.bytes}
		}
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	m.p = m.world.processOn(&rest.Config{Host: server.URL}, "--log-level", "error")
	return m
}

type counted struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c *counted) Write(b []byte) (int, error) {
	c.bytes.Add(int64(len(b)))
	return c.ResponseWriter.Write(b)
}

func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// cpu is the processor time so far.
func (m *meter) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.p.Process.Pid))
	require.NoError(m, err)
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// peak is the largest memory so far, in MB.
func (m *meter) peak() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.p.Process.Pid))
	require.NoError(m, err)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, _ := strconv.Atoi(strings.Fields(rest)[0])
	return kb / 1024
}

// cost is what a phase took.
type cost struct{ requests, kilobytes, milliseconds float64 }

// phase runs f and says what it cost for each of n objects.
func (m *meter) phase(name string, n int, f func()) cost {
	requests, bytes, cpu, start := m.requests.Load(), m.bytes.Load(), m.cpu(), time.Now()
	f()
	c := cost{float64(m.requests.Load()-requests) / float64(n), float64(m.bytes.Load()-bytes) / float64(n) / 1000, float64((m.cpu() - cpu).Milliseconds()) / float64(n)}
	m.Logf("%5d %-8s %6.1f s; for each object %5.1f requests, %7.1f kB, %6.1f ms of processor time; at most %d MB", n, name, time.Since(start).Seconds(), c.requests, c.kilobytes, c.milliseconds, m.peak())
	return c
}

// many does something with n objects, eight at a time.
func (m *meter) many(n int, f func(i int) error) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := f(i); err != nil {
					m.Errorf("%d: %v", i, err)
				}
			}
		}()
	}
	wg.Wait()
}

func (m *meter) list() []v1alpha3.DeploymentTemplate {
	var list v1alpha3.DeploymentTemplateList
	require.NoError(m, m.List(context.Background(), &list, client.InNamespace(m.ns)))
	return list.Items
}

// life makes n templates of two resources, changes them, leaves them alone, and deletes them.
func (m *meter) life(n int) map[string]cost {
	ready := func(generation int64) {
		m.within(10*time.Minute, func() string {
			done := 0
			for _, dt := range m.list() {
				if condition(dt.Status.Conditions, "Ready") == "True/Succeeded" && dt.Status.ObservedGeneration == generation {
					done++
				}
			}
			if done < n {
				time.Sleep(time.Second)
				return fmt.Sprintf("%d of %d are ready", done, n)
			}
			return ""
		})
	}
	object := func(i int) *v1alpha3.DeploymentTemplate {
		dt := &v1alpha3.DeploymentTemplate{}
		dt.Namespace, dt.Name = m.ns, fmt.Sprintf("t%d", i)
		dt.Spec.Template = template(fmt.Sprintf("web%d=Applications.Core/containers@2023-10-01-preview", i), fmt.Sprintf("db%d=Radius.Data/redisCaches@2025-08-01-preview", i))
		return dt
	}
	ctx := context.Background()
	costs := map[string]cost{}
	costs["create"] = m.phase("create", n, func() {
		m.many(n, func(i int) error { return m.Create(ctx, object(i)) })
		ready(1)
	})
	costs["rest"] = m.phase("rest", n, func() { time.Sleep(5 * time.Second) })
	costs["change"] = m.phase("change", n, func() {
		m.many(n, func(i int) error {
			dt := object(i)
			return m.Patch(ctx, dt, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"parameters":{"tag":"other"}}}`)))
		})
		ready(2)
	})
	costs["delete"] = m.phase("delete", n, func() {
		m.many(n, func(i int) error { return m.Delete(ctx, object(i)) })
		m.within(10*time.Minute, func() string {
			if left := len(m.list()); left > 0 {
				time.Sleep(time.Second)
				return fmt.Sprintf("%d are left", left)
			}
			return ""
		})
	})
	require.Empty(m, m.children())
	require.Empty(m, m.radius.Resources())
	return costs
}

// TestScale compares a few objects with many, and deletes a large one. It takes minutes: SCALE says
// how many objects. Below SCALE=1, it is left out.
func TestScale(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("SCALE"))
	if n < 1 {
		t.Skip("make scale runs it")
	}
	m := newMeter(t)
	_ = m.life(20) // the first ones pay for what is made once
	few := m.life(max(n/10, 1))
	many := m.life(n)
	for _, phase := range []string{"create", "change", "delete"} {
		require.LessOrEqual(t, many[phase].requests, few[phase].requests*1.25+1, "requests to %s", phase)
		require.LessOrEqual(t, many[phase].kilobytes, few[phase].kilobytes*1.5+2, "bytes to %s", phase)
		require.LessOrEqual(t, many[phase].milliseconds, few[phase].milliseconds*1.5+2, "processor time to %s", phase)
	}
	// The schemas are looked at every five seconds, whatever the number of objects.
	require.Less(t, many["rest"].requests*float64(n), few["rest"].requests*float64(max(n/10, 1))+0.05*float64(n)+40, "requests at rest")
	require.Less(t, m.peak(), 200, "MB")
}

// TestDeleteLarge deletes a template of 1 MB with 520 resources.
func TestDeleteLarge(t *testing.T) {
	if os.Getenv("SCALE") == "" {
		t.Skip("make scale runs it")
	}
	m := newMeter(t)
	var resources []string
	for i := range 520 {
		resources = append(resources, fmt.Sprintf("r%d%s=Applications.Core/containers@2023-10-01-preview", i, strings.Repeat("x", 40)))
	}
	long := strings.Replace(template(resources...), `"resources":`, `"metadata": {"pad": "`+strings.Repeat("pad ", 210_000)+`"}, "resources":`, 1)
	require.Greater(t, len(long), 900_000)
	m.phase("create", 1, func() {
		m.create("large", long)
		m.within(5*time.Minute, func() string {
			return strings.TrimPrefix(condition(m.get("large").Status.Conditions, "Ready"), "True/Succeeded")
		})
	})
	c := m.phase("delete", 1, func() {
		m.delete("large")
		m.within(5*time.Minute, func() string {
			if n := len(m.list()); n > 0 {
				time.Sleep(200 * time.Millisecond)
				return "it is there"
			}
			return ""
		})
	})
	require.Less(t, c.milliseconds, 6000.0)
	require.Empty(t, m.radius.Resources())
}
