/** Draws the number of clicks beside each link of an email. */
import { formatNumber, formatShare } from '../../../figures/format.ts'

interface LinkClicks {
  url: string
  clicks: number
}

/** The accent color of the dashboard, on its light background. */
const BADGE =
  'display:inline-block;margin-left:4px;padding:0 7px;border:1px solid #ecd6a6;border-radius:10px;background:#faf0da;color:#7d5200;font:600 11px/18px sans-serif;letter-spacing:0;white-space:nowrap;text-decoration:none;vertical-align:middle'

/** The link without UTM parameters, which are added when the email is sent. */
export function withoutUtm(link: string): string {
  if (!/[?&]utm_/i.test(link) || !URL.canParse(link)) return link
  const [address, fragment] = link.split('#', 2) as [string, string?]
  const [page, query = ''] = address.split('?', 2) as [string, string?]
  const kept = query.split('&').filter((part) => part !== '' && !/^utm_/i.test(part))
  return `${page}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment === undefined ? '' : `#${fragment}`}`
}

export function withLinkCounts(html: string, links: LinkClicks[], reached: number): string {
  if (links.length === 0) return html
  const clicks = new Map<string, number>()
  for (const { url, clicks: count } of links) clicks.set(withoutUtm(url), (clicks.get(withoutUtm(url)) ?? 0) + count)
  const email = new DOMParser().parseFromString(html, 'text/html')
  for (const link of email.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const count = clicks.get(withoutUtm(link.getAttribute('href')!))
    if (count === undefined) continue
    const badge = email.createElement('span')
    badge.setAttribute('style', BADGE)
    badge.textContent = `${formatNumber(count)} · ${formatShare(count, reached)}`
    link.after(badge)
  }
  return email.documentElement.outerHTML
}
