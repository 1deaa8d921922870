/** Pages that open with a link from an email, and the emails that some of them show. */

export const LINK_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer', // the address of the page is a key
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
}

/**
 * For the HTML of an email, which is untrusted: it has styles of its own and images from anywhere, but no scripts, forms or
 * frames. The sandbox gives it an origin of its own, because the dashboard has the same address.
 */
export const EMAIL_POLICY = [
  "default-src 'none'",
  'img-src https: http: data:',
  "style-src 'unsafe-inline' https:",
  'font-src https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')
