/** The pages of forms, the script for websites, and submissions. Anyone can call them. */
import { z } from 'zod'
import { visitorOf } from '../../../kernel/consent/cause.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { CustomResponse, type RequestFacts, route } from '../../../platform/http/route.ts'
import { languageAsked } from '../preferences/actions.ts'
import { embedScript } from './embed.ts'
import { closedPage, formPage, formPolicy, type PageState, thanksOf, thanksPage } from './pages.ts'
import type { PublicForm, SignupForms } from './signups.ts'
import { type Body, formToken, readFormToken, TOKEN, UTM_NAMES } from './submission.ts'

const common = { access: 'open', tag: 'Forms', params: { id: 'text' } } as const

const PAGE = { contentType: 'text/html' } as const
const NO_FORM = { ...PAGE, description: 'There is no such form, or it is disabled.' }

const Visit = z.object(Object.fromEntries(UTM_NAMES.map((name) => [name, z.string().optional()])))

const SubmissionBody = z
  .object({
    email: z.unknown().optional(),
    [TOKEN]: z.unknown().optional().meta({ description: "The value of this input of the form's page." }),
  })
  .catchall(z.unknown())
  .optional()

const find = async ({ find }: SignupForms, id: string): Promise<PublicForm | undefined> =>
  isId(id) ? find(id) : undefined

function respondPage(status: number, text: string, form: PublicForm | undefined): CustomResponse {
  return new CustomResponse(status, text, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': formPolicy(form),
    'x-robots-tag': 'noindex',
  })
}

const closed = (facts: RequestFacts) =>
  respondPage(404, closedPage(languageAsked(facts.headers['accept-language'])), undefined)

/** Where the visitor came from, for the hidden inputs. */
function sourceOf(query: z.output<typeof Visit>, facts: RequestFacts): Record<string, string> {
  const { referer } = facts.headers
  const named = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { ...Object.fromEntries(named), ...(typeof referer === 'string' && { referrer: referer }) }
}

/** The page's form gets a page, everything else JSON. */
const wantsJson = ({ headers }: RequestFacts): boolean =>
  /^application\/json\b/i.test(headers['content-type']?.toString() ?? '') ||
  /\bapplication\/json\b/i.test(headers.accept?.toString() ?? '')

const STATUS: Partial<Record<Refusal['kind'], number>> = { invalid: 422, 'too-many': 429, unavailable: 503 }

/** The form again, with what was entered and what is wrong. The time when it was first shown stays. */
function refusedPage(
  secrets: Parameters<typeof formToken>[0],
  form: PublicForm,
  body: Body,
  refusal: Refusal,
  now: Date,
): CustomResponse {
  const { kind, extras } = refusal
  const shownAt = readFormToken(secrets, form.id, body[TOKEN])
  const source = Object.entries(body).filter(([name]) => name.startsWith('utm_') || name === 'referrer')
  const state: PageState = {
    token: formToken(secrets, form.id, shownAt ?? now),
    entered: body,
    source: Object.fromEntries(source.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    problems: extras.problems ?? [],
  }
  const known = state.problems?.some(({ field }) => form.fields.some(({ key }) => key === field))
  if (!known) state.alert = kind === 'too-many' ? 'many' : 'failed'
  return respondPage(STATUS[kind]!, formPage(form, state), form)
}

export const publicFormRoutes = [
  route({
    ...common,
    method: 'GET',
    path: '/f/{id}',
    limitedByNetwork: true,
    anyOrigin: true, // scripts of websites read the hidden inputs
    summary: 'Show a form',
    description:
      "The page of a form, in the project's language and brand. Names such as `utm_source` in its address are part of the submission.",
    query: Visit,
    replies: { 200: { ...PAGE, description: 'The page.' }, 404: NO_FORM },
    handle: async (ctx, { params, query, facts }, { signupForms }: { signupForms: SignupForms }) => {
      const form = await find(signupForms, params.id)
      if (!form) return closed(facts)
      await signupForms.countShown(form)
      const token = formToken(ctx.secrets, form.id, ctx.clock.now())
      return respondPage(200, formPage(form, { token, source: sourceOf(query, facts) }), form)
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/f/{id}',
    form: 'or JSON',
    anyOrigin: true,
    summary: 'Submit a form',
    description:
      'As a form or as JSON, with the names of the inputs of its page. The response is the same for every address. A visitor can submit 10 forms of a project in a minute.',
    body: SubmissionBody,
    replies: {
      200: { ...PAGE, description: 'A page, or `{success, message, redirectUrl}` for a request with or for JSON.' },
      303: { description: 'Redirects to `redirectUrl`, if the form has one and the request is not with or for JSON.' },
      404: NO_FORM,
    },
    refusals: [422, 429, 503],
    handle: async (ctx, { params, body = {}, facts }, { signupForms }: { signupForms: SignupForms }) => {
      const form = await find(signupForms, params.id)
      const isJson = wantsJson(facts)
      if (!form && isJson) throw notFound('form', params.id)
      if (!form) return closed(facts)
      try {
        signupForms.limitVisitor(form, facts.ip)
        await signupForms.submit(form, body, visitorOf(facts))
      } catch (error) {
        if (isJson || !(error instanceof Refusal) || !STATUS[error.kind]) throw error
        return refusedPage(ctx.secrets, form, body, error, ctx.clock.now())
      }
      const { redirect_url: redirectUrl } = form
      if (isJson) {
        const reply = { success: true, message: thanksOf(form).text, redirectUrl }
        return new CustomResponse(200, JSON.stringify(reply), { 'content-type': 'application/json; charset=utf-8' })
      }
      return redirectUrl
        ? new CustomResponse(303, undefined, { location: new URL(redirectUrl).href })
        : respondPage(200, thanksPage(form), form)
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/f/{id}/embed.js',
    limitedByNetwork: true,
    anyOrigin: true,
    summary: 'Get the script of a form',
    description:
      'Inserts the form after its `script` element, or into the element that `data-target` names with a CSS selector.',
    replies: {
      200: { description: 'The script.', contentType: 'text/javascript' },
      404: { ...NO_FORM, contentType: 'text/javascript' },
    },
    handle: async (ctx, { params }, { signupForms }: { signupForms: SignupForms }) => {
      const headers = {
        'content-type': 'text/javascript; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
      }
      const form = await find(signupForms, params.id)
      if (!form) return new CustomResponse(404, '/* There is no such form, or it is disabled. */\n', headers)
      await signupForms.countShown(form)
      const token = formToken(ctx.secrets, form.id, ctx.clock.now())
      return new CustomResponse(200, embedScript(form, `${ctx.baseUrl}/f/${form.id}`, token), headers)
    },
  }),
]
