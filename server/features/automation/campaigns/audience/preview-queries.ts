/** SQL on those recipients of a campaign that would not get it because of the frequency cap. */

import type { SendingSettings } from '../../../../kernel/sending/settings.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import { type Audience, recipientsSql } from '../../../audience/segments/audience-queries.ts'
import { isMarketing, SCHEDULED_DAYS_MAX } from '../../../mail/delivery/claim-queries.ts'

/** As when they are sent, but from the emails of the period: few contacts have so many, so not each one is looked up. */
export async function countCapped(
  tx: Tx,
  projectId: string,
  audience: Audience,
  { emails, days }: NonNullable<SendingSettings['frequencyCap']>,
  now: Date,
): Promise<number> {
  const recipients = await recipientsSql(tx, projectId, audience, now)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from contacts
    where contacts.project_id = ${projectId} and ${recipients} and contacts.id in (
      select x.contact_id from emails x
      where x.project_id = ${projectId} and x.contact_id is not null
        and x.id >= first_id_at(${now}::timestamptz - make_interval(days => ${days}::int + ${SCHEDULED_DAYS_MAX}::int))
        and (x.sent_at > ${now}::timestamptz - make_interval(days => ${days}::int) or x.status in ('PENDING', 'SENDING'))
        and ${isMarketing('x')}
      group by x.contact_id having count(*) >= ${emails}::int)`.execute(tx)
  return rows[0]!.count
}
