/** The pages of the public archive, in the brand of the project. They need no scripts. */
import type { Branding } from '../../../../kernel/content/branding.ts'
import { html, trusted } from '../../../../platform/http/html.ts'
import { BASE_STYLE, page, policyFor } from '../../../../platform/http/page-look.ts'
import type { ArchivedCampaign, listArchive, readFeed } from './actions.ts'

const STYLE = `${BASE_STYLE}
main{max-width:44rem;margin:0 auto;padding:clamp(2rem,9vh,6rem) 1.25rem 4rem}
header{display:flex;align-items:center;gap:1rem;margin:0 0 2rem}
header img{height:2.5rem;max-width:10rem;object-fit:contain}
ol{list-style:none;margin:0;padding:0}
li{padding:1rem 0;border-top:1px solid var(--line)}
li a{font-weight:600}
time{display:block;font-size:.875rem;color:var(--soft)}
li p{margin:.25rem 0 0;color:var(--soft)}
nav{display:flex;gap:1rem;margin:2rem 0 0}
`

const styleOf = ({ color }: Branding): string => (color ? `${STYLE}main{--brass:${color}}\n` : STYLE)

/** Only the page's own style sheet, and the project's logo. */
export function archivePolicy(branding: Branding): string {
  const policy = policyFor(styleOf(branding))
  if (!branding.logoUrl) return policy
  const { origin } = new URL(branding.logoUrl)
  return policy.replace('img-src data:', () => `img-src data: ${origin}`)
}

type Listed = NonNullable<Awaited<ReturnType<typeof listArchive>>>
type Feed = NonNullable<Awaited<ReturnType<typeof readFeed>>>

export function archivePage({ archive, campaigns, page: number, hasMore }: Listed): string {
  const { title, language: lang, branding, slug } = archive
  const day = dayFormat(lang)
  const link = (to: number, rel: string, text: string) =>
    html`<a rel="${rel}" href="/archive/${slug}?page=${to}" aria-label="${to}">${text}</a>`
  const items = campaigns.map(
    ({ id, subject, preheader, sentAt }) => html`<li>
<time datetime="${sentAt.toISOString()}">${day.format(sentAt)}</time>
<a href="/archive/${slug}/${id}">${subject}</a>
${preheader !== '' && html`<p>${preheader}</p>`}</li>\n`,
  )
  const body = html`<main>
<header>${branding.logoUrl !== undefined && html`<img src="${branding.logoUrl}" alt="">`}<h1>${title}</h1></header>
<ol>
${items}</ol>
<nav>${number > 1 && link(number - 1, 'prev', `← ${number - 1}`)}${hasMore && link(number + 1, 'next', `${number + 1} →`)}
<a href="/archive/${slug}/feed.xml">Atom</a></nav>
</main>`
  return page(title, body, { lang, style: styleOf(branding) })
}

/** A project's language can be one that this runtime has no formats for. */
function dayFormat(language: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language.replaceAll('_', '-'), { dateStyle: 'long', timeZone: 'UTC' })
  } catch {
    return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
  }
}

export const missingPage = page(
  'Page not found',
  html`<main><h1>Page not found</h1>
<p>There is no public email at this address.</p></main>`,
  { style: STYLE, hidden: true },
)

/** Characters that XML can't contain are left out. */
const inXml = (text: string): string => text.toWellFormed().replace(NOT_IN_XML, '')

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to leave out.
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

export function atomFeed({ archive, url, campaigns }: Feed): string {
  const updated = campaigns[0]?.sentAt ?? new Date(0)
  return html`${trusted('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${url}</id>
<title>${inXml(archive.title)}</title>
<author><name>${inXml(archive.name)}</name></author>
<updated>${updated.toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${url}/feed.xml"/>
<link rel="alternate" type="text/html" href="${url}"/>
${campaigns.map(entryOf)}</feed>
`.markup
}

const entryOf = ({ id, subject, preheader, sentAt, url }: ArchivedCampaign) => html`<entry>
<id>urn:uuid:${id}</id>
<title>${inXml(subject)}</title>
<published>${sentAt.toISOString()}</published>
<updated>${sentAt.toISOString()}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
<summary>${inXml(preheader)}</summary>
</entry>
`
