/**
 * Submissions of forms. Anyone can name any address in a form, so a form changes little about contacts that exist: it
 * doesn't overwrite their data, undoes no opt-out, and its response never shows whether an address is known.
 */
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { applyDataRules } from '../../../kernel/contact-data.ts'
import { type FieldProblem, invalid } from '../../../kernel/errors.ts'
import { createMinuteCounts } from '../../../kernel/flow/minute-counts.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { newId } from '../../../kernel/ids.ts'
import { isDatabaseUnavailable, transaction } from '../../../platform/database/connection/transaction.ts'
import { networkOf } from '../../../platform/network/public-address.ts'
import { newPerson } from '../contacts/actions.ts'
import { requestConfirmations } from '../contacts/confirmations.ts'
import type { TopicDecisions } from '../contacts/topics.ts'
import { isSolved, PROVIDERS } from './captcha.ts'
import * as queries from './queries.ts'
import * as signups from './signup-queries.ts'
import {
  type Body,
  LEAST_MS,
  readFormToken,
  readSubmission,
  type Submission,
  shortened,
  TOKEN,
  TRAP,
} from './submission.ts'

export type { PublicForm } from './queries.ts'

export type Visitor = Required<Pick<ConsentCause, 'ip'>> & Pick<ConsentCause, 'userAgent'>

/** Submissions of a visitor to the forms of a project in a minute. */
const SUBMISSIONS_MAX = 10
/** The maximum of each form. Further ones are only counted. */
const SPAM_KEPT = 1_000

const COUNTED_TOGETHER = { batchMax: 1_000, concurrency: 1 }
const SIGNED_UP_TOGETHER = { batchMax: 50, concurrency: 2 }
const FOUND_TOGETHER = { batchMax: 100, concurrency: 2 }

export type SignupForms = ReturnType<typeof createSignupForms>

export function createSignupForms(ctx: Context) {
  const visitors = createMinuteCounts(ctx.clock)
  /** Concurrent requests share a statement, because each of them changes the same row. */
  const addCount = createBatcher(async (counts: queries.Count[]) => {
    await queries.addCounts(ctx.db, counts)
    return counts.map(() => undefined)
  }, COUNTED_TOGETHER)

  /** Concurrent submissions share their statements and a commit. */
  const addSignup = createBatcher((all: FormSignup[]) => signUp(ctx, all), {
    ...SIGNED_UP_TOGETHER,
    mayJoin,
    // While the database is unavailable, the effect of the transaction is unknown.
    retryAlone: (error) => !isDatabaseUnavailable(error),
  })

  const find = createBatcher((ids: string[]) => queries.findPublicForms(ctx.db, ids), FOUND_TOGETHER)

  const count = (form: queries.PublicForm, name: keyof queries.Counts) => addCount(countOf(ctx, form, name))

  async function recordSpam(
    form: queries.PublicForm,
    reason: signups.SpamRow['reason'],
    body: Body,
    { ip, userAgent }: Visitor,
  ): Promise<void> {
    const now = ctx.clock.now()
    const row = {
      id: newId(now),
      reason,
      email: shortened(body.email),
      ip,
      user_agent: userAgent ?? null,
      created_at: now,
    }
    await signups.insertSpam(ctx.db, form.project_id, form.id, row, SPAM_KEPT)
    await count(form, 'spam')
  }

  return {
    /** Undefined if there is no form that accepts submissions. */
    find,

    /** A page is shown even if it can't be counted. */
    countShown: (form: queries.PublicForm): Promise<void> =>
      count(form, 'shown').catch((error) => ctx.log.warn({ err: error, formId: form.id }, 'a form was not counted')),

    limitVisitor({ project_id: projectId }: queries.PublicForm, ip: string): void {
      if (ctx.settings.RATE_LIMIT_PER_MINUTE === 0) return
      visitors.count(`${projectId} ${networkOf(ip)}`, SUBMISSIONS_MAX, 'Submitting forms')
    },

    /** Accepts a submission, or refuses it. Spam is refused without showing that. */
    async submit(form: queries.PublicForm, body: Body, visitor: Visitor): Promise<void> {
      const shownAt = readFormToken(ctx.secrets, form.id, body[TOKEN])
      if (isFilled(body[TRAP])) return recordSpam(form, 'honeypot', body, visitor)
      const read = readSubmission(inputsOf(form), body)
      if (!shownAt) throw invalid([tokenMissing(body[TOKEN]), ...('problems' in read ? read.problems : [])])
      if ('problems' in read) throw invalid(read.problems)
      if (ctx.clock.now().getTime() - shownAt.getTime() < LEAST_MS) return recordSpam(form, 'too-fast', body, visitor)
      const { captcha, captcha_secret: secret } = form
      if (captcha && secret && !(await isSolved(ctx, captcha, ctx.secrets.decrypt(secret), body))) {
        await recordSpam(form, 'captcha', body, visitor)
        const message = 'The check against automated submissions failed. Solve it again.'
        throw invalid([{ field: PROVIDERS[captcha.provider].input, message, code: 'captcha_failed' }])
      }
      await addSignup({ form, submission: read, visitor })
    },
  }
}

const countOf = (
  ctx: Context,
  { project_id: projectId, id: formId }: queries.PublicForm,
  name: keyof queries.Counts,
): queries.Count => ({ projectId, formId, name, day: ctx.clock.now().toISOString().slice(0, 10) })

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const inputsOf = ({ fields, choose_topics, offered }: queries.PublicForm) => ({
  fields,
  choices: choose_topics ? offered.map(({ key }) => key) : [],
})

const tokenMissing = (given: unknown): FieldProblem => ({
  field: TOKEN,
  message:
    given === undefined
      ? `This field is required. Send the value of the input ${TOKEN} of the form's page.`
      : "The value is invalid. Send that of the form's page.",
  code: given === undefined ? 'invalid_type' : 'invalid_string',
})

interface FormSignup {
  form: queries.PublicForm
  submission: Submission
  visitor: Visitor
}

const addressOf = ({ form, submission }: FormSignup): signups.FormAddress => ({
  projectId: form.project_id,
  email: submission.email,
})

/** An address once in a batch, because a later submission depends on what an earlier one changes. */
function mayJoin(): (signup: FormSignup) => boolean {
  const addresses = new Set<string>()
  return (signup) => {
    const { projectId, email } = addressOf(signup)
    const address = `${projectId} ${email}`
    const joins = !addresses.has(address)
    addresses.add(address)
    return joins
  }
}

/** All of them or none. */
async function signUp(ctx: Context, all: FormSignup[]): Promise<undefined[]> {
  return transaction(ctx.db, async (tx) => {
    const states = await signups.lockAddressStates(tx, all.map(addressOf))
    const prepared = all.map((signup, i) => prepareSignup(ctx, signup, states[i]!))
    const contactIds = await signups.storeSignups(tx, prepared)
    const asked = prepared.flatMap(({ asks, upsert: { projectId, cause, now }, formId, confirming }, i) => {
      const contactId = contactIds[i]!
      return asks ? [{ projectId, formId, contactId, contactIds: [contactId], topics: confirming, cause, now }] : []
    })
    if (asked.length > 0) {
      await requestConfirmations(tx, asked)
      await signups.awaitConfirmations(tx, asked)
    }
    // Last, because other batches wait for these rows.
    await queries.addCounts(
      tx,
      all.map(({ form }) => countOf(ctx, form, 'submitted')),
    )
    return all.map(() => undefined)
  })
}

function prepareSignup(
  ctx: Context,
  { form, submission: { email, data, source, topics }, visitor }: FormSignup,
  { contact, is_refused: isRefused }: signups.AddressState,
) {
  const now = ctx.clock.now()
  const isReader = contact?.subscribed === true && !isRefused
  const asks = !isReader && (form.confirms || isRefused || contact?.opted_out === true || contact?.pending === true)
  const cause: ConsentCause = { source: 'form', ...visitor, text: form.consent_text ?? undefined }
  const { patch } = applyDataRules({ ...source, ...data })
  const subscribes = asks || contact?.subscribed ? undefined : true
  const { decisions, confirming } = decisionsOf(form, topics, { isNew: contact === null, asks })
  const person = contact ? newPerson(now, email, {}, subscribes) : newPerson(now, email, patch, !asks)
  const upsert = {
    projectId: form.project_id,
    now,
    people: [{ ...person, topics: decisions }],
    subscribedByDefault: false,
    removed: [],
    cause,
    byPublicKey: true, // as with the public key, visitors can name any address
    onlyNew: contact === null,
  }
  const event = form.event_name === null ? undefined : { id: newId(now), name: form.event_name, data: patch }
  return { asks, formId: form.id, upsert, confirming, event }
}

/**
 * Topics that are not chosen are turned off for new contacts only. Contacts who must confirm are subscribed to the others
 * when they do (`confirming`). Until then, and for other contacts, stored opt-outs stay.
 */
function decisionsOf(form: queries.PublicForm, chosen: string[], { isNew, asks }: { isNew: boolean; asks: boolean }) {
  const isChosen = ({ key }: { key: string }) => !form.choose_topics || chosen.includes(key)
  const wanted = form.offered.filter(isChosen).map(({ number }) => number)
  const others = form.offered.filter((topic) => isNew && topic.defaultSubscribed && !isChosen(topic))
  const stored = [...others.map(({ number }) => -number), ...(asks ? [] : wanted)]
  const decisions: TopicDecisions | undefined =
    stored.length > 0 ? { decisions: stored, keepsOptOuts: true } : undefined
  return { decisions, confirming: asks ? wanted : [] }
}
