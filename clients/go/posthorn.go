// Package posthorn is the client for Posthorn, the self-hostable email platform. It needs only the standard library.
//
//	client := posthorn.New("sk_…", posthorn.WithBaseURL("https://mail.example.com"))
//	sent, err := client.Emails.Send(ctx, posthorn.EmailsSendParams{
//		To:      "ada@example.org",
//		From:    posthorn.Set[any]("hello@example.com"),
//		Subject: posthorn.Set("Hello"),
//		Body:    posthorn.Set("<p>It works.</p>"),
//	})
package posthorn

import (
	"net/http"
	"os"
	"strings"
	"time"
)

// Version of the client.
const Version = "0.2.0"

// Client has a group of methods for each resource, such as client.Emails.Send. It can be used by several goroutines.
type Client struct {
	Services
}

// New returns a client. An empty key is read from POSTHORN_SECRET_KEY, and the address of the service from POSTHORN_URL unless
// WithBaseURL sets it.
func New(key string, options ...ClientOption) *Client {
	c := &caller{key: key, base: os.Getenv("POSTHORN_URL"), retries: 2, http: &http.Client{Timeout: 30 * time.Second}}
	if c.key == "" {
		c.key = os.Getenv("POSTHORN_SECRET_KEY")
	}
	for _, option := range options {
		option(c)
	}
	if c.base == "" {
		c.base = "http://127.0.0.1:3000"
	}
	c.base = strings.TrimRight(c.base, "/")
	// A redirect would send the key to another address.
	withoutRedirects := *c.http
	withoutRedirects.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http = &withoutRedirects
	return &Client{newServices(c)}
}

// ClientOption changes how a client sends requests.
type ClientOption func(*caller)

// WithBaseURL sets the address of the service.
func WithBaseURL(url string) ClientOption { return func(c *caller) { c.base = url } }

// WithHTTPClient sets the HTTP client, for example to change the timeout of 30 seconds.
func WithHTTPClient(client *http.Client) ClientOption { return func(c *caller) { c.http = client } }

// WithRetries sets how often a request is repeated; the default is 2.
func WithRetries(retries int) ClientOption { return func(c *caller) { c.retries = retries } }

// WithProjectID sets the project of requests that have a session instead of a key.
func WithProjectID(id string) ClientOption { return func(c *caller) { c.projectID = id } }

// Address is a recipient or sender with a name. Where an address is expected, a string such as "Ada <ada@example.org>" works too.
type Address struct {
	Email string `json:"email"`
	Name  string `json:"name,omitempty"`
}
