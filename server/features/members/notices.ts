/** What people read when they are added to a project or invited to one. */

interface Addition {
  to: string
  role: string
  project: string
  baseUrl: string
}

const MEANING: Record<string, string> = {
  ADMIN: 'an admin: you can also manage members, domains, keys and settings',
  MEMBER: 'a member: you can work with contacts, templates, campaigns and workflows',
}

export const addedNotice = ({ to, role, project, baseUrl }: Addition) => ({
  to,
  subject: `You are now in the project "${oneLine(project)}"`,
  text: `You were added to the project "${oneLine(project)}" on Posthorn as ${MEANING[role]}.

Sign in to see it:

${baseUrl}/app`,
})

interface Invited extends Addition {
  invitedBy: string | null
  link: string
  days: number
}

export const invitationNotice = ({ to, role, project, invitedBy, link, days }: Omit<Invited, 'baseUrl'>) => ({
  to,
  subject: `Invitation to the project "${oneLine(project)}"`,
  text: `${invitedBy ?? 'An administrator'} invites you to the project "${oneLine(project)}" on Posthorn as ${MEANING[role]}.

Accept the invitation here. If you have no account yet, you can create one there:

${link}

The link works for ${days} days, for this address only. If you did not expect it, you can ignore this mail.`,
})

const oneLine = (name: string) => name.replaceAll(/\s+/g, ' ').trim()
