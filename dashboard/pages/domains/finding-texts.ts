/**
 * What the check of a domain's DNS records finds, in the language of the dashboard. The service writes it in English; the other
 * languages have a sentence for each code.
 */
import { translated } from '../../languages/language.ts'

export type DomainFindingTexts = Record<string, (values: Record<string, string | number>) => string>

export const domainFindingTexts: DomainFindingTexts = translated('domainFinding', {})
