/**
 * Texts of the emails to people who are added or invited to a project. They may not know the person who chose the name of
 * the project, so it can't contain anything that a mail client turns into a link.
 */

interface Addition {
  to: string
  role: string
  project: string
  baseUrl: string
}

const ROLE_DESCRIPTIONS: Record<string, string> = {
  ADMIN:
    'an admin. You can work with contacts, templates, campaigns and workflows, and manage members, domains, API keys and settings',
  MEMBER: 'a member. You can work with contacts, templates, campaigns and workflows',
}

export const addedNotice = ({ to, role, project, baseUrl }: Addition) => ({
  to,
  subject: `You’ve been added to ${projectInEmail(project)}`,
  text: `You’ve been added to ${projectInEmail(project)} on Posthorn as ${ROLE_DESCRIPTIONS[role]}.

Sign in to get started:

${baseUrl}/app`,
})

/** To the owner of the project, because an API key can make someone an admin without anyone noticing. */
export const adminByKeyNotice = ({
  to,
  email,
  project,
  baseUrl,
}: {
  to: string
  email: string
  project: string
  baseUrl: string
}) => ({
  to,
  subject: `${email} is now an admin of the project “${oneLine(project)}”`,
  text: `An API key of the project “${oneLine(project)}” gave ${email} the admin role. Admins can manage members, domains, API keys and settings.

If you don’t recognize this, remove the person and replace the API keys:

${baseUrl}/app`,
})

interface Invited extends Addition {
  invitedBy: string | null
  link: string
  days: number
}

export const invitationNotice = ({ to, role, project, invitedBy, link, days }: Omit<Invited, 'baseUrl'>) => ({
  to,
  subject: `You’ve been invited to ${projectInEmail(project)}`,
  action: 'Accept invitation',
  text: `${invitedBy ?? 'An administrator'} invited you to ${projectInEmail(project)} on Posthorn as ${ROLE_DESCRIPTIONS[role]}.

Accept the invitation here. If you don’t have an account yet, you can create one:

${link}

This link expires in ${days} days and works only for this address. If you weren’t expecting this invitation, you can ignore this email.`,
})

const oneLine = (name: string) => name.replaceAll(/\s+/g, ' ').trim()

/** Web addresses also without "https://", email addresses, and numbers that a phone could call. */
const LINK_LIKE = /\S*(?::\/|\/\/|@|www\.|[\p{L}\p{N}][.。][\p{L}\p{N}])\S*|\+?\d(?:[\s()./-]*\d){6,}/giu
const NAME_MAX = 60

/** "the project “Acme”". */
export function projectInEmail(name: string): string {
  const text = oneLine(name.normalize('NFKC').replaceAll(/\p{C}/gu, (hidden) => (/\s/.test(hidden) ? ' ' : '')))
  const shown = oneLine(text.replaceAll(LINK_LIKE, ' … ')).replaceAll(/…(?: …)+/g, '…')
  if (!/[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(shown)) return 'a project'
  const characters = [...shown]
  return `the project “${characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX).join('')}…` : shown}”`
}
