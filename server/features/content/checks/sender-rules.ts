/** Rules on what marketing email must contain: a way to unsubscribe, and the postal address of its sender. */
import type { Branding } from '../../../kernel/content/branding.ts'
import type { CheckedContent, HtmlFinding } from './finding.ts'

/** Where the project says that its postal address is; undefined if it hasn't said so. */
export type AddressPlace = 'footer' | 'content' | undefined

export function addressPlaceOf({ postalAddress, addressInContent }: Branding): AddressPlace {
  if (addressInContent) return 'content'
  return postalAddress ? 'footer' : undefined
}

/** HEADLESS emails get unsubscribe headers but no footer; MARKETING emails always get a link. */
export function checkUnsubscribe({ html, type }: Pick<CheckedContent, 'html' | 'type'>): HtmlFinding[] {
  if (type !== 'HEADLESS' || html.includes('unsubscribeUrl') || html.includes('manageUrl')) return []
  return [
    {
      code: 'unsubscribe.missing',
      severity: 'error',
      message: 'The email has no unsubscribe link. Headless emails get no footer, and marketing email requires a link.',
      fix: 'Add a link to {{unsubscribeUrl}}, or use the type MARKETING.',
      at: 0,
    },
  ]
}

/** HEADLESS emails get no footer, so their content must have the address. Only people can tell whether it does. */
export function checkAddress({
  type,
  addressIn,
}: Pick<CheckedContent, 'type'> & { addressIn: AddressPlace }): HtmlFinding[] {
  if (type === 'TRANSACTIONAL' || addressIn === 'content' || (addressIn === 'footer' && type === 'MARKETING')) return []
  return [
    {
      code: 'address.missing',
      severity: 'warning',
      message:
        type === 'HEADLESS'
          ? 'Headless emails get no footer with your postal address, which many countries require in marketing email.'
          : 'The project has no postal address, which many countries require in marketing email.',
      fix: 'Enter the address under Settings, Branding, or state there that your emails contain it.',
      at: 0,
    },
  ]
}
