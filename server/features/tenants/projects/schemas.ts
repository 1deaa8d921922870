/** A project and its settings. The full secret key is returned only when it is created. */
import { z } from 'zod'
import { brandingFields } from '../../../kernel/content/branding.ts'
import { EmailStyle, SocialLink } from '../../../kernel/content/email-document.ts'
import { sendingFields, shownUtm } from '../../../kernel/sending/settings.ts'

const URL_MAX = 2048

const webUrl = z
  .string()
  .max(URL_MAX, `Must be at most ${URL_MAX} characters.`)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !new URL(text).username, {
    message: 'Must be a URL that begins with https:// or http://, without a user name.',
    params: { code: 'invalid_string' },
  })

const LANGUAGE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/

export const DoubleOptIn = z.object({
  enabled: z.boolean(),
  templateId: z
    .uuid()
    .nullable()
    .meta({ description: "The template of the confirmation email; null for Posthorn's own." }),
  redirectUrl: z.string().nullable().meta({ description: 'Where contacts are sent after they have confirmed.' }),
})

export const PreferencePage = z.object({
  language: z.boolean().meta({ description: 'Contacts can choose their language, which is stored as `data.locale`.' }),
  timezone: z
    .boolean()
    .meta({ description: 'Contacts can choose their time zone, which is stored as `data.timezone`.' }),
  dataDownload: z.boolean().meta({ description: 'Contacts can download what is stored about them.' }),
})

export const Project = z
  .object({
    id: z.uuid(),
    name: z.string(),
    publicKey: z.string(),
    secretKeyHint: z.string().meta({ description: 'The last characters of the secret key.' }),
    disabled: z.boolean(),
    disabledReason: z.string().nullable(),
    tracking: z.enum(['ENABLED', 'DISABLED', 'MARKETING_ONLY']),
    publicKeyUpdates: z.enum(['all', 'new', 'none']),
    doubleOptIn: DoubleOptIn,
    preferencePage: PreferencePage,
    language: z.string(),
    sendToBounced: z.boolean(),
    postalAddress: z.string().nullable(),
    postalAddressInContent: brandingFields.postalAddressInContent,
    logoUrl: z.string().nullable(),
    brandColor: z.string().nullable(),
    emailStyle: EmailStyle.nullable(),
    socialLinks: z.array(SocialLink).nullable(),
    ...sendingFields,
    utm: shownUtm,
    role: z
      .enum(['OWNER', 'ADMIN', 'MEMBER'])
      .nullable()
      .meta({ description: "The caller's role; null for an API key." }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Project' })

export const ProjectWithKeys = Project.extend({
  public: z.string(),
  secret: z.string().meta({ description: 'Shown only once. Keep it on your server.' }),
  secretKey: z.string(),
}).meta({ id: 'ProjectWithKeys' })

export const NewProject = z.object({
  name: z.string().trim().min(1, 'Must not be empty.').max(100, 'Must be at most 100 characters.'),
})

export const ProjectPatch = z.object({
  name: NewProject.shape.name.optional(),
  tracking: z.enum(['ENABLED', 'DISABLED', 'MARKETING_ONLY']).optional().meta({
    description: 'Whether opens and clicks are tracked for all email, for marketing email only, or not at all.',
  }),
  publicKeyUpdates: z.enum(['all', 'new', 'none']).optional().meta({
    description:
      'What `POST /v1/track` with the public key changes about contacts: `all` of them, only `new` ones, or `none`. With `none`, new contacts are created without data.',
  }),
  doubleOptIn: z
    .strictObject({
      enabled: z.boolean().optional(),
      templateId: z.uuid().nullish(),
      redirectUrl: webUrl.nullish(),
    })
    .nullish()
    .meta({
      description:
        'Whether contacts that `POST /contacts` would subscribe get a confirmation email first. The template must contain `{{confirmUrl}}`. Only the fields that are given change; null resets the setting.',
    }),
  preferencePage: PreferencePage.partial().strict().nullish().meta({
    description:
      'What the preference page of contacts offers beside topics and a pause. Only the fields that are given change; null turns all of them off.',
  }),
  language: z
    .string()
    .trim()
    .regex(LANGUAGE, 'Must be a language code such as "en" or "pt-BR".')
    .optional()
    .meta({ description: 'Language of public pages and email footers for contacts without a `locale`.' }),
  sendToBounced: z.boolean().optional().meta({
    description:
      'Whether email is sent to addresses that are suppressed because of a permanent bounce. By default, emails to them are `FAILED`. Marketing email is never sent to them.',
  }),
  postalAddress: brandingFields.postalAddress.optional(),
  postalAddressInContent: brandingFields.postalAddressInContent.optional(),
  logoUrl: brandingFields.logoUrl.optional(),
  brandColor: brandingFields.brandColor.optional(),
  emailStyle: brandingFields.emailStyle.optional(),
  socialLinks: brandingFields.socialLinks.optional(),
  quietHours: sendingFields.quietHours.optional(),
  frequencyCap: sendingFields.frequencyCap.optional(),
  sunset: sendingFields.sunset.optional(),
  sendGuard: sendingFields.sendGuard.optional(),
  utm: sendingFields.utm.optional(),
  conversion: sendingFields.conversion.optional(),
  softBounces: sendingFields.softBounces.optional(),
  archive: sendingFields.archive.optional(),
})

export const ResetRequest = z
  .object({
    confirm: z.string().nullish().meta({ description: 'The name of the project. Required with a session.' }),
  })
  .nullish()

export const ResetReply = z
  .object({
    success: z.literal(true),
    complete: z.boolean().meta({ description: 'False while the remaining data is being deleted in the background.' }),
  })
  .meta({ id: 'ResetReply' })

export const SetupState = z
  .object({
    hasVerifiedDomain: z.boolean(),
    contactCount: z.int(),
    emailsSent: z.int(),
    hasTemplate: z.boolean(),
    hasCampaignSent: z.boolean(),
    hasEnabledWorkflow: z.boolean(),
  })
  .meta({ id: 'SetupState' })
