/** A form as it is edited, with texts instead of nulls. */

import type { Body } from '@posthorn/sdk'
import type { Schemas } from '../../data/api.ts'
import { fieldLabels } from '../../shell/error-texts.ts'

export type Form = Schemas['Form']
export type Field = Form['fields'][number]

export interface Draft {
  name: string
  title: string
  description: string
  buttonText: string
  fields: Field[]
  topics: string[]
  chooseTopics: boolean
  /** Empty: as the project's setting says. */
  doubleOptIn: '' | 'true' | 'false'
  consentText: string
  successMessage: string
  redirectUrl: string
  eventName: string
  captcha: { provider: string; siteKey: string; secretKey: string; endpoint: string | null }
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  title: '',
  description: '',
  buttonText: '',
  fields: [{ key: 'email', label: fieldLabels.email, type: 'email', required: true, options: [] }],
  topics: [],
  chooseTopics: false,
  doubleOptIn: '',
  consentText: '',
  successMessage: '',
  redirectUrl: '',
  eventName: '',
  captcha: { provider: '', siteKey: '', secretKey: '', endpoint: null },
}

export const draftOf = (form: Form): Draft => ({
  name: form.name,
  title: form.title ?? '',
  description: form.description ?? '',
  buttonText: form.buttonText ?? '',
  fields: form.fields,
  topics: form.topics,
  chooseTopics: form.chooseTopics,
  doubleOptIn: form.doubleOptIn === null ? '' : `${form.doubleOptIn}`,
  consentText: form.consentText ?? '',
  successMessage: form.successMessage ?? '',
  redirectUrl: form.redirectUrl ?? '',
  eventName: form.eventName ?? '',
  captcha: {
    provider: form.captcha?.provider ?? '',
    siteKey: form.captcha?.siteKey ?? '',
    secretKey: '',
    endpoint: form.captcha?.endpoint ?? null,
  },
})

const orNull = (text: string): string | null => text.trim() || null

export function bodyOf({ captcha, doubleOptIn, ...draft }: Draft): Body<'POST /forms'> {
  const { provider, siteKey, secretKey, endpoint } = captcha
  return {
    ...draft,
    title: orNull(draft.title),
    description: orNull(draft.description),
    buttonText: orNull(draft.buttonText),
    doubleOptIn: doubleOptIn === '' ? null : doubleOptIn === 'true',
    consentText: orNull(draft.consentText),
    successMessage: orNull(draft.successMessage),
    redirectUrl: orNull(draft.redirectUrl),
    eventName: orNull(draft.eventName),
    captcha: provider
      ? { provider: provider as 'turnstile', siteKey, endpoint, ...(secretKey && { secretKey }) }
      : null,
  }
}

/** The key that is suggested for a label: `First name` → `firstName`. */
export function keyOfLabel(label: string): string {
  const words = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const key = words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('')
  return key.replace(/^\d+/, '').slice(0, 50)
}
