/**
 * The small page at `/`: what runs here, where its doors are, and a first request to paste.
 */
import { type Html, html } from './html.ts'
import { horn, page } from './page-look.ts'

const DOORS = [
  { path: '/docs', title: 'API reference', says: 'Every endpoint, with an example.' },
  { path: '/openapi.json', title: 'OpenAPI document', says: 'The same for machines.' },
  { path: '/health', title: 'Health', says: 'Is the process alive?' },
  { path: '/ready', title: 'Readiness', says: 'Can it take requests now?' },
  { path: '/metrics', title: 'Metrics', says: 'Numbers for Prometheus.' },
]

export function welcomePage(info: { version: string; baseUrl: string; name?: string }): string {
  const name = info.name ?? 'Posthorn'
  return page(
    name,
    html`<main class="welcome">
<p class="brand">${horn}${name} <span class="version">${info.version}</span></p>
<h1>It runs.</h1>
<p>This is ${name}, the email platform you host yourself. It answers at <code>${info.baseUrl}</code>.</p>
<ul class="places">
${DOORS.map(door)}</ul>
<h2>Send a first email</h2>
<p>Put your project's secret key where it says <code>sk_…</code>, and a sender of a domain that is verified in the project.</p>
<pre><code>${firstRequest(info.baseUrl)}</code></pre>
</main>`,
  )
}

const door = ({ path, title, says }: (typeof DOORS)[number]): Html =>
  html`<li><a href="${path}"><strong>${title}</strong><span class="soft">${says}</span><br><code>${path}</code></a>
`

const firstRequest = (baseUrl: string) => `export POSTHORN_SECRET_KEY=sk_…

curl ${baseUrl}/v1/send \\
  -H "Authorization: Bearer $POSTHORN_SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "to": "ada@example.org",
    "from": "hello@example.com",
    "subject": "Hello",
    "body": "<p>The post horn sounds.</p>"
  }'`
