/** UTM parameters of the links of an email, by which analytics of a website recognize where visitors come from. */
import { replaceLinks } from '../../../platform/html/html-reader.ts'
import { isStatic } from '../../../platform/rendering/template.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import { isOwnPage } from './links.ts'

export interface UtmValues {
  source: string | null
  medium: string | null
  campaign: string | null
}

const NAMES = ['source', 'medium', 'campaign'] as const
const VALUE_MAX = 200

/** As they are added to links; empty if there are none. */
export async function utmParameters(
  utm: Partial<UtmValues>,
  render: (template: string) => Promise<string>,
): Promise<string> {
  const parameters: string[] = []
  for (const name of NAMES) {
    const template = utm[name]
    const value = template ? parameterValue(isStatic(template) ? template : await rendered(template, render)) : ''
    if (value) parameters.push(`utm_${name}=${encodeURIComponent(value)}`)
  }
  return parameters.join('&')
}

/** Adds them to the links to web pages other than ours that have no such parameter yet. */
export const addUtm = (baseUrl: string, html: string, added: string): string =>
  added === ''
    ? html
    : replaceLinks(html, (link) => (isOwnPage(baseUrl, link) ? undefined : withParameters(link, added)))

/** A parameter that can't be rendered is left out, because it isn't worth failing an email. */
async function rendered(template: string, render: (template: string) => Promise<string>): Promise<string> {
  try {
    return await render(template)
  } catch (error) {
    if (error instanceof TemplateError) return ''
    throw error
  }
}

const parameterValue = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, VALUE_MAX).toWellFormed()

/** Undefined if the link stays as it is. */
export function withParameters(link: string, added: string): string | undefined {
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link) || /[?&]utm_[a-z]+=/i.test(link)) return undefined
  const hashAt = link.indexOf('#')
  const [page, fragment] = hashAt === -1 ? [link, ''] : [link.slice(0, hashAt), link.slice(hashAt)]
  const separator = /[?&]$/.test(page) ? '' : page.includes('?') ? '&' : '?'
  return `${page}${separator}${added}${fragment}`
}
