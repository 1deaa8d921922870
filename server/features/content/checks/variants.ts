/** The variants of an experiment: each is checked as it is sent, and a finding in what is its own has its name. */
import type { EmailDocument } from '../../../kernel/content/email-document.ts'
import { type ContentField, type Finding, SEVERITIES } from './finding.ts'

/** Null where it is the campaign's. `body` is compiled from `document`, if there is one. */
export interface Variant {
  name: string
  subject: string | null
  preheader: string | null
  body: string | null
  document: EmailDocument | null
}

interface Email {
  subject: string
  preheader: string
  html: string
  text?: string | null | undefined
  document: EmailDocument | null
  mjml: string | null
}

export function withVariant<T extends Email>(email: T, { subject, preheader, body, document }: Variant): T {
  const content = body === null ? {} : { html: body, text: null, document, mjml: null }
  return { ...email, ...content, subject: subject ?? email.subject, preheader: preheader ?? email.preheader }
}

/** What several variants have from the campaign is reported once, without a name. */
export function mergeFindings(checked: { variant: Variant; findings: Finding[] }[]): Finding[] {
  const merged = new Map<string, Finding>()
  for (const { variant, findings } of checked) {
    for (const finding of findings) {
      const named = isOwn(variant, finding) ? { ...finding, variant: variant.name } : finding
      merged.set(JSON.stringify(named), named)
    }
  }
  const rank = ({ severity }: Finding) => SEVERITIES.indexOf(severity)
  return [...merged.values()].sort((a, b) => rank(a) - rank(b))
}

const FIELDS: Record<ContentField, 'subject' | 'preheader' | 'body'> = {
  subject: 'subject',
  preheader: 'preheader',
  body: 'body',
  document: 'body',
  mjml: 'body',
}

/** All variants have the same audience. */
const isOwn = (variant: Variant, { code, field }: Finding): boolean =>
  variant[FIELDS[field]] !== null && !code.startsWith('audience.')
