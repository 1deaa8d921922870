/** SQL on what people clicked: the conversions that follow from it, and deleting it with its emails. */
import type { RawBuilder } from 'kysely'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Consumer } from '../../../platform/queue/fan-out.ts'

/** Larger values are mistakes. */
const VALUE = sql`case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end`

/**
 * The event of the project's setting is a conversion of the email that the contact clicked last. Without a currency, its value
 * isn't added up.
 */
export const conversionConsumer: Consumer = {
  name: 'conversions',
  wants: sql`r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)`,
  job: (wanted) => sql`
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, ${VALUE},
        case when ${VALUE} is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from ${wanted} join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1`,
}

/** Deletes what was clicked in the emails that `emailIds` selects. */
export const deleteClicksStep = (projectId: string, emailIds: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from link_clicks where project_id = ${projectId} and email_id in (${emailIds})`

/** Deletes those of emails with smaller ids that no longer exist. By project, as the key begins. */
export const deleteClicksBeforeStep = (end: string): RawBuilder<unknown> => sql`
  delete from link_clicks k using projects
  where k.project_id = projects.id and k.email_id < ${end}::uuid and not exists (
    select from emails e where e.project_id = k.project_id and e.id = k.email_id)`
