/** How a project presents itself in its emails and on public pages. */
import { z } from 'zod'
import { EmailStyle, SocialLink } from './email-document.ts'

export interface Branding {
  postalAddress?: string | undefined
  /** The emails contain the address themselves. */
  addressInContent?: boolean | null | undefined
  logoUrl?: string | undefined
  /** `#rrggbb`. */
  color?: string | undefined
  /** The look of visual emails, unless a document sets its own. */
  settings?: z.output<typeof EmailStyle> | undefined
  socialLinks?: z.output<typeof SocialLink>[] | undefined
}

const COLOR = /^#[0-9a-f]{6}$/i
const URL_MAX = 2_000
const ADDRESS_MAX = 300
const SOCIAL_LINKS_MAX = 12

/** The fields of a request; null clears one. */
export const brandingFields = {
  postalAddress: z
    .string()
    .trim()
    .max(ADDRESS_MAX, `Must be at most ${ADDRESS_MAX} characters.`)
    .nullable()
    .meta({ description: 'Shown in the footer of marketing email, as many countries require.' }),
  postalAddressInContent: z.boolean().meta({
    description:
      'Whether marketing emails contain the postal address themselves, so that no check reports it as missing.',
  }),
  logoUrl: z
    .string()
    .trim()
    .max(URL_MAX, `Must be at most ${URL_MAX} characters.`)
    .refine(isLogoUrl, { message: 'Must be an https:// URL.', params: { code: 'invalid_string' } })
    .nullable()
    .meta({ description: 'An image, shown in footers and on public pages.' }),
  brandColor: z
    .string()
    .trim()
    .regex(COLOR, 'Must be a color such as #1d4ed8.')
    .nullable()
    .meta({ description: 'The color of buttons in visual emails and on public pages, and of links in footers.' }),
  emailStyle: EmailStyle.nullable().meta({
    description: 'The font, colors and width of visual emails. Replaces the earlier values.',
  }),
  socialLinks: z
    .array(SocialLink)
    .max(SOCIAL_LINKS_MAX, `Must contain at most ${SOCIAL_LINKS_MAX} links.`)
    .nullable()
    .meta({ description: 'Shown by social blocks without links of their own.' }),
}

const HOST = /^[a-z0-9.-]+$/

/** Plain HTTP only on the machine itself, for development. Quotes could end an attribute, and other hosts a policy. */
function isLogoUrl(text: string): boolean {
  if (!URL.canParse(text) || /["'\s;,<>]/.test(text)) return false
  const { protocol, hostname } = new URL(text)
  if (!HOST.test(hostname)) return false
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
}
