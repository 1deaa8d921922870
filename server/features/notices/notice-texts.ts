/** What notices say, in plain words: what happened, what follows from it, what to do. */

interface DomainNews {
  to: string
  domain: string
  project: string
  baseUrl: string
}

export const domainVerifiedNotice = ({ to, domain, project, baseUrl }: DomainNews) => ({
  to,
  subject: `${domain} is verified`,
  text: `The sender domain ${domain} of the project "${oneLine(project)}" is verified. You can send from it now.

Keep its DNS records in place. Without them the domain stops sending.

${baseUrl}`,
})

export const domainLostNotice = ({ to, domain, project, baseUrl }: DomainNews) => ({
  to,
  subject: `${domain} is no longer verified`,
  text: `The DNS records of the sender domain ${domain} of the project "${oneLine(project)}" were missing in three checks in a row. The domain is pending again, and mail from it is refused.

Set the records again as the domain's page shows them. We check every few minutes, and you can check at once there.

${baseUrl}`,
})

const oneLine = (name: string) => name.replaceAll(/\s+/g, ' ').trim()
