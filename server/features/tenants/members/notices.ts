/** Texts of the emails to people who are added or invited to a project. */
import { nameInEmail } from '../../record/notices/names.ts'

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
  subject: `You’ve been added to ${nameInEmail('project', project)}`,
  text: `You’ve been added to ${nameInEmail('project', project)} on Posthorn as ${ROLE_DESCRIPTIONS[role]}.

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
  subject: `${email} is now an admin of ${nameInEmail('project', project)}`,
  text: `An API key of ${nameInEmail('project', project)} gave ${email} the admin role. Admins can manage members, domains, API keys and settings.

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
  toAnyone: true,
  subject: `You’ve been invited to ${nameInEmail('project', project)}`,
  action: 'Accept invitation',
  text: `${invitedBy ?? 'An administrator'} invited you to ${nameInEmail('project', project)} on Posthorn as ${ROLE_DESCRIPTIONS[role]}.

Accept the invitation here. If you don’t have an account yet, you can create one:

${link}

This link expires in ${days} days and works only for this address. If you weren’t expecting this invitation, you can ignore this email.`,
})
