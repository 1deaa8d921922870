/** Settings of a project about marketing email: when it is sent, how much of it, and when a campaign is paused. */
import { z } from 'zod'
import { timeField, timeZoneField } from '../time/local-time.ts'

const whole = (min: number, max: number) =>
  z.int().min(min, `Must be at least ${min}.`).max(max, `Must be at most ${max}.`)

const rate = z
  .number()
  .gt(0, 'Must be more than 0.')
  .max(1, 'Must be at most 1.')
  .meta({ description: 'From 0 to 1: 0.05 is 5 percent.' })

const QuietHours = z
  .object({ from: timeField, to: timeField, timezone: timeZoneField })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Must differ from `from`.' })

const FrequencyCap = z.object({ emails: whole(1, 1_000), days: whole(1, 365) })

export const SUNSET_LIMITS = { days: { min: 30, max: 1_095 }, emails: { min: 3, max: 100 } }

export const Sunset = z.object({
  days: whole(SUNSET_LIMITS.days.min, SUNSET_LIMITS.days.max),
  emails: whole(SUNSET_LIMITS.emails.min, SUNSET_LIMITS.emails.max),
})

const SendGuard = z.object({ bounceRate: rate, complaintRate: rate, minimum: whole(1, 1_000_000) })

/** The limit of the value that is stored; Liquid can make it longer or shorter. */
const UTM_MAX = 200

const utmValue = z
  .string()
  .trim()
  .max(UTM_MAX, `Must be at most ${UTM_MAX} characters.`)
  .nullable()
  .default(null)
  .transform((text) => text || null)

/** Each is a template, or null if the parameter is not added. */
export const UtmSetting = z
  .object({ source: utmValue, medium: utmValue, campaign: utmValue })
  .meta({ description: '`utm_source`, `utm_medium` and `utm_campaign`. Liquid is allowed.' })

export type Utm = z.output<typeof UtmSetting>

export const shownUtm = z
  .object({ source: z.string().nullable(), medium: z.string().nullable(), campaign: z.string().nullable() })
  .nullable()

/** A stored setting has no nulls. */
export const showUtm = (utm: Partial<Utm> | undefined): Utm | null =>
  utm ? { source: null, medium: null, campaign: null, ...utm } : null

const EVENT_NAME_MAX = 200

const ConversionSetting = z.object({
  event: z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .max(EVENT_NAME_MAX, `Must be at most ${EVENT_NAME_MAX} characters.`)
    .refine(
      (name) => !name.startsWith('email.'),
      'Must not be an event of an email. Choose one that contacts trigger.',
    ),
  days: whole(1, 90),
})

const SoftBounces = z.object({ count: whole(2, 100), days: whole(0, 365) })

const SLUG = /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/

const ArchiveSetting = z.object({
  enabled: z.boolean(),
  slug: z.string().regex(SLUG, 'Must be 1 to 50 lowercase letters, digits and hyphens, such as acme-news.'),
  title: z.string().trim().min(1, 'Must not be empty.').max(100, 'Must be at most 100 characters.'),
})

export const sendingFields = {
  quietHours: QuietHours.nullable().meta({
    description:
      'Marketing email waits until the end of these hours. If `to` is before `from`, they span midnight. Null: none.',
  }),
  frequencyCap: FrequencyCap.nullable().meta({
    description:
      'A contact receives at most this many marketing emails in this many days; more are SKIPPED, with the reason in `error`. Null: no cap.',
  }),
  sunset: Sunset.nullable().meta({
    description:
      'A contact that received at least this many marketing emails within this many days, and opened and clicked none of those sent in that time, receives no more; they are SKIPPED, with the reason in `error`. Emails without tracking do not count. Null: never.',
  }),
  sendGuard: SendGuard.nullable().meta({
    description:
      'A campaign with at least `minimum` sent emails and a higher rate of bounces or complaints is paused, and owners and admins are notified. Null: never.',
  }),
  utm: UtmSetting.refine(({ source, medium, campaign }) => source || medium || campaign, {
    message: 'Set source, medium or campaign, or null for none.',
  })
    .nullable()
    .meta({
      description:
        'Added as `utm_source`, `utm_medium` and `utm_campaign` to links of marketing email that have no `utm_` parameter. Liquid is allowed, with `campaign.name` for the name of a campaign. Campaigns can have their own. Null: none.',
    }),
  conversion: ConversionSetting.nullable().meta({
    description:
      'An event that counts as a conversion: of the email that the contact clicked last, if that was within this many days. `value` and `currency` in the data of the event are added up as revenue. Null: none.',
  }),
  softBounces: SoftBounces.nullable().meta({
    description:
      'An address is suppressed after this many transient bounces in a row, if they span at least this many days. Null: never.',
  }),
  archive: ArchiveSetting.nullable().meta({
    description:
      'The public page `/archive/{slug}` with the campaigns that have `isPublic`, and their feed. A slug that another project uses is refused with 409.',
  }),
}

export const SENDING_FIELDS = Object.keys(sendingFields) as Array<keyof typeof sendingFields>

/** As they are stored: absent if not set. */
export type SendingSettings = {
  [N in keyof typeof sendingFields]?: NonNullable<z.output<(typeof sendingFields)[N]>>
}
