/** SQL of the preference pages. */

import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import {
  changeSubscriptionsStep,
  updatedSteps,
  writeSubscriptionEventsSteps,
} from '../contacts/subscription-queries.ts'
import { isSuppressedSql, liftSuppressionsSteps } from '../suppressions/queries.ts'

export { pauseMarketing } from '../contacts/marketing-queries.ts'

export interface PreferenceSubject {
  projectId: string
  contactId: string
  /** The number of the email's topic, if it has one. */
  topic?: number
}

export interface PreferenceRow {
  project_name: string
  project_language: string
  branding: Branding
  /** Empty if the contact was deleted. */
  email: string | null
  subscribed: boolean | null
  opted_out: boolean | null
  /** The address receives no marketing email. */
  is_suppressed: boolean
  paused_until: Date | null
  locale: unknown
  timezone: unknown
  offers: Partial<Offers>
}

/** What the project offers on the preference page beside topics. */
export interface Offers {
  language: boolean
  timezone: boolean
  dataDownload: boolean
}

export async function findPreferences(
  db: Database,
  { projectId, contactId }: PreferenceSubject,
): Promise<PreferenceRow | undefined> {
  const { rows } = await sql<PreferenceRow>`/* find-preferences */
    select p.name as project_name, p.language as project_language, p.branding, c.email, c.subscribed, c.opted_out, ${isSuppressedSql(sql`p.id`, sql`c.email`)} as is_suppressed,
      c.paused_until, c.data -> 'locale' as locale, c.data -> 'timezone' as timezone,
      p.preference_page as offers
    from projects p left join contacts c on c.project_id = p.id and c.id = ${contactId}
    where p.id = ${projectId}`.execute(db)
  return rows[0]
}

/** The email that most likely led to the decision, so that a campaign counts its unsubscribes. */
export const lastEmail = (projectId: string, contactId: string) => sql`(
  select id from emails where project_id = ${projectId} and contact_id = ${contactId} and sent_at is not null order by id desc limit 1)`

/**
 * The recipient's decision; it can be repeated. A contact who was never subscribed and declines has opted out, although
 * the subscription doesn't change and no event is recorded.
 */
export async function choosePreference(
  db: Tx,
  { projectId, contactId }: PreferenceSubject,
  subscribed: boolean,
  eventId: string,
  cause: ConsentCause,
  now: Date,
): Promise<void> {
  await sql`/* choose-preference */
    with written as (${changeSubscriptionsStep({ subscribed: sql`${subscribed}::boolean`, byContact: true }, now, {
      where: sql`c.project_id = ${projectId} and c.id = ${contactId}`,
    })}
    ), ${writeSubscriptionEventsSteps('flips', {
      rows: sql`written c`,
      eventId: sql`${eventId}::uuid`,
      emailId: lastEmail(projectId, contactId),
      at: sql`${now}::timestamptz`,
      cause,
      byContact: true,
    })}, ${updatedSteps(sql`written c`, now)}, ${liftSuppressionsSteps(
      projectId,
      sql`select email from contacts where project_id = ${projectId} and id = ${contactId} and ${subscribed}::boolean`,
      now,
    )}
    select 1`.execute(db)
}
