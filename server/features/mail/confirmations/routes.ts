/**
 * The page behind a confirmation link. A GET shows a button and changes nothing, because mail scanners follow links; only
 * the button confirms.
 */
import { visitorOf } from '../../../kernel/consent/cause.ts'
import { html } from '../../../platform/http/html.ts'
import { LINK_PAGE_HEADERS } from '../../../platform/http/link-pages.ts'
import { CustomResponse, type RequestFacts, route } from '../../../platform/http/route.ts'
import { languageAsked } from '../../audience/preferences/actions.ts'
import { CHECK, filled, framed, messagePage, preferencePolicy } from '../../audience/preferences/pages.ts'
import { type Confirmation, type FoundConfirmation, readConfirmation, useConfirmation } from './actions.ts'
import { CONFIRMATION_TEXTS } from './texts.ts'

const REPLIES = {
  200: { description: 'The page, even if the link has already been used.', contentType: 'text/html' },
  404: { description: 'An error page: the link is invalid.', contentType: 'text/html' },
  410: { description: 'An error page: the link has expired.', contentType: 'text/html' },
}

function respond(found: FoundConfirmation, facts: RequestFacts): CustomResponse {
  const asked = languageAsked(facts.headers['accept-language'])
  if (typeof found === 'string') {
    const headers = { ...LINK_PAGE_HEADERS, 'content-security-policy': preferencePolicy({}) }
    return new CustomResponse(found === 'unknown' ? 404 : 200, messagePage(found, asked), headers)
  }
  const headers = {
    ...LINK_PAGE_HEADERS,
    'content-security-policy': preferencePolicy(found.branding, found.redirectUrl),
  }
  if (found.state === 'gone') return new CustomResponse(200, messagePage('gone', asked, found), headers)
  return new CustomResponse(found.state === 'expired' ? 410 : 200, confirmationPage(found, found.state), headers)
}

function confirmationPage(found: Confirmation, state: 'open' | 'done' | 'used' | 'expired'): string {
  const { language } = found
  const texts = CONFIRMATION_TEXTS[language]
  const { title, text } = state === 'open' ? { title: texts.question, text: texts.text } : texts[state]
  return framed(
    language,
    found,
    title,
    html`${state === 'done' && CHECK}
<h1>${title}</h1>
<p>${filled(text, found)}</p>
${state === 'open' && html`<form method="post"><button>${texts.button}</button></form>`}`,
  )
}

export const confirmationRoutes = [
  route({
    method: 'GET',
    path: '/confirm/{token}',
    access: 'open',
    tag: 'Preference pages',
    summary: 'Show the confirmation page',
    description: 'The page behind the link of a confirmation email (double opt-in). Changes nothing.',
    params: { token: 'text' },
    replies: REPLIES,
    handle: async (ctx, { params, facts }) => respond(await readConfirmation(ctx, params.token), facts),
  }),
  route({
    method: 'POST',
    path: '/confirm/{token}',
    access: 'open',
    form: true,
    tag: 'Preference pages',
    summary: 'Confirm a subscription',
    description:
      'Called by the button on the page. Subscribes the contact and records `contact.confirmed`. A link works once.',
    params: { token: 'text' },
    replies: {
      ...REPLIES,
      303: { description: "Confirmed. Redirects to the project's `redirectUrl`, if it has one." },
    },
    handle: async (ctx, { params, facts }) => {
      const found = await useConfirmation(ctx, params.token, visitorOf(facts))
      const isDone = typeof found === 'object' && found.state === 'done'
      return isDone && found.redirectUrl
        ? new CustomResponse(303, undefined, {
            location: new URL(found.redirectUrl).href,
            'referrer-policy': 'no-referrer',
          })
        : respond(found, facts)
    },
  }),
]
