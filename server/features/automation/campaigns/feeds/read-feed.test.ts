import { describe, expect, it } from 'vitest'
import { FeedProblem, readFeed } from './read-feed.ts'

const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>News &amp; more</title><link>https://blog.example/</link><description>All of it</description>
<image><title>Logo</title><url>https://blog.example/logo.png</url></image>
<item><title><![CDATA[First <b>post</b>]]></title><link>https://blog.example/1</link><guid>tag:1</guid>
<description>&lt;p&gt;Short &amp;amp; sweet&lt;/p&gt;</description><content:encoded><![CDATA[<p>Whole</p>]]></content:encoded>
<dc:creator>Ada</dc:creator><pubDate>Thu, 19 Nov 2026 09:00:00 GMT</pubDate>
<media:content url="https://blog.example/1.png" medium="image"><media:title>Not the title</media:title></media:content></item>
<item><title>Second</title><link>https://blog.example/2</link><pubDate>never</pubDate></item>
</channel></rss>`

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><link rel="self" href="https://blog.example/atom"/>
<link href="https://blog.example/"/><author><name>Everyone</name></author>
<entry><id>urn:uuid:1</id><title>One</title><link rel="replies" href="https://blog.example/r"/><link rel="alternate" href="https://blog.example/one"/>
<author><name>Ada</name><email>ada@example.org</email></author><published>2026-11-18T09:00:00Z</published><updated>2026-11-19T09:00:00Z</updated>
<summary>Short</summary><content type="html">&lt;p&gt;Whole&lt;/p&gt;</content></entry></feed>`

describe('a feed', () => {
  it('in RSS has its items with their text, address, author, image and time', () => {
    const { items, ...feed } = readFeed(RSS)
    expect(feed).toEqual({ title: 'News & more', url: 'https://blog.example/', description: 'All of it' })
    expect(items).toEqual([
      {
        id: 'tag:1',
        title: 'First post',
        url: 'https://blog.example/1',
        summary: 'Short & sweet',
        content: '<p>Whole</p>',
        author: 'Ada',
        image: 'https://blog.example/1.png',
        publishedAt: '2026-11-19T09:00:00.000Z',
      },
      {
        id: 'https://blog.example/2',
        title: 'Second',
        url: 'https://blog.example/2',
        summary: '',
        content: null,
        author: null,
        image: null,
        publishedAt: null,
      },
    ])
  })

  it('in Atom has the alternate link of an entry and when it was published', () => {
    const { items, ...feed } = readFeed(ATOM)
    expect(feed).toMatchObject({ title: 'Atom', url: 'https://blog.example/' })
    expect(items).toEqual([
      expect.objectContaining({
        id: 'urn:uuid:1',
        title: 'One',
        url: 'https://blog.example/one',
        author: 'Ada',
        summary: 'Short',
        content: '<p>Whole</p>',
        publishedAt: '2026-11-18T09:00:00.000Z',
      }),
    ])
  })

  it('has no addresses that a link in an email must not have', () => {
    const { items } = readFeed('<rss><channel><item><link>javascript:alert(1)</link></item></channel></rss>')
    expect(items[0]).toMatchObject({ url: null })
  })

  it('does not expand entities of its document type', () => {
    const xml = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
      <rss><channel><title>&b;&f;</title></channel></rss>`
    expect(readFeed(xml).title).toBe('&b;&f;')
  })

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['JSON', '{"items": []}'],
    ['a web page', '<!doctype html><html><body>Not found</body></html>'],
    ['another document', '<urlset><url/></urlset>'],
    ['half of a feed', RSS.slice(0, 700)],
    ['elements nested a hundred thousand times', `<rss>${'<item><title>'.repeat(100_000)}`],
  ])('%s is refused', (_what, text) => {
    expect(() => readFeed(text)).toThrow(FeedProblem)
  })
})
