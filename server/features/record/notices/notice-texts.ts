/** The texts of notices: what happened, what it means, and what to do. */
import { nameInEmail } from './names.ts'

interface DomainTransition {
  to: string
  domain: string
  project: string
  baseUrl: string
}

export const domainVerifiedNotice = ({ to, domain, project, baseUrl }: DomainTransition) => ({
  to,
  subject: `${domain} is verified`,
  text: `The domain ${domain} in ${nameInEmail('project', project)} is verified. You can now send email from it.

Keep its DNS records in place. If you remove them, you can no longer send from this domain.

${baseUrl}`,
})

export const domainLostNotice = ({ to, domain, project, baseUrl }: DomainTransition) => ({
  to,
  subject: `${domain} is no longer verified`,
  text: `The DNS records of the domain ${domain} in ${nameInEmail('project', project)} were missing in three checks in a row. The domain is pending again, and you can’t send email from it.

Add the records again as shown on the Domains page. We check them every few minutes, and you can start a check there at any time.

${baseUrl}`,
})

interface HeldCampaign {
  to: string
  name: string
  reason: string
  baseUrl: string
}

export const campaignHeldNotice = ({ to, name, reason, baseUrl }: HeldCampaign) => ({
  to,
  subject: `${capitalized(nameInEmail('campaign', name))} was not sent`,
  text: `${capitalized(nameInEmail('campaign', name))} was not sent at its scheduled time.

${reason}

${baseUrl}/app`,
})

export const campaignPausedNotice = ({ to, name, reason, baseUrl }: HeldCampaign) => ({
  to,
  subject: `${capitalized(nameInEmail('campaign', name))} was paused`,
  text: `${capitalized(nameInEmail('campaign', name))} was paused while it was being sent.

${reason}

${baseUrl}/app`,
})

interface DisabledEndpoint {
  to: string
  url: string
  project: string
  baseUrl: string
}

/** The host is enough to recognize the endpoint; its path may contain a token. */
export const webhookDisabledNotice = ({ to, url, project, baseUrl }: DisabledEndpoint) => ({
  to,
  subject: `A webhook endpoint of ${nameInEmail('project', project)} was disabled`,
  text: `Every request to a webhook endpoint of ${nameInEmail('project', project)} failed for five days, so it no longer gets requests. Its host is ${new URL(url).hostname}.

When it works again, enable it on the Webhooks page. Events that were waiting for it are then sent; events since now are not collected.

${baseUrl}/app`,
})

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
