/** SQL on webhook endpoints, and the steps that write a delivery for each endpoint that wants an event. */
import type { RawBuilder, Selectable } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { WebhookEndpoints } from '../../../platform/database/tables.ts'
import type { Consumer } from '../../../platform/queue/fan-out.ts'

/** Encrypted and in base64; without an end for the newest. */
export interface StoredSecret {
  sealed: string
  until: string | null
}

export type EndpointRow = Omit<Selectable<WebhookEndpoints>, 'secrets'> & { secrets: StoredSecret[] }

/** Whether the endpoint `w` wants the type of the event `e`. */
const WANTED = sql`exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1))))`

/** `columns` selects contact_id, email_id, facts of the event `e`. */
const addDeliveries = (wanted: RawBuilder<unknown>, columns: RawBuilder<unknown>) => sql`
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, ${columns}, e.created_at, e.created_at
      from (select * from ${wanted}) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and ${WANTED} offset 0
      ) as endpoint
      returning 1`

/** Events of projects without an endpoint cost one lookup. */
const wants = sql`coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)`

export const webhookConsumer: Consumer = {
  name: 'webhooks',
  wants,
  job: (wanted) => addDeliveries(wanted, sql`e.contact_id, e.email_id, null::jsonb`),
}

export const webhookAnnouncements: Consumer = {
  name: 'webhooks',
  wants,
  job: (wanted) => addDeliveries(wanted, sql`e.contact_id, null::uuid, e.facts`),
}

const COLUMNS = sql`project_id, id, url, host, description, event_types, enabled, disabled_reason, failing_since, last_delivery_at,
  secrets, created_at, updated_at`

/** Newest first. */
export async function listEndpoints(
  db: Database,
  projectId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`/* list-webhook-endpoints */
    select ${COLUMNS} from webhook_endpoints
    where project_id = ${projectId} and id < coalesce(${before ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countEndpoints(db: Database | Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-webhook-endpoints */
    select count(*) as count from webhook_endpoints where project_id = ${projectId}`.execute(db)
  return rows[0]!.count
}

export async function findEndpoint(
  db: Database | Tx,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${COLUMNS} from webhook_endpoints where project_id = ${projectId} and id = ${id}
    ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0]
}

/** Two requests at the same time count one after the other. */
export async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhook-endpoints:${projectId}`}, 0))`.execute(tx)
}

export type NewEndpoint = Pick<
  EndpointRow,
  'id' | 'url' | 'host' | 'description' | 'event_types' | 'enabled' | 'secrets' | 'created_at'
>

export async function insertEndpoint(tx: Tx, projectId: string, endpoint: NewEndpoint): Promise<EndpointRow> {
  const { rows } = await sql<EndpointRow>`/* insert-webhook-endpoint */
    insert into webhook_endpoints (project_id, id, url, host, description, event_types, enabled, secrets, created_at, updated_at)
    values (${projectId}, ${endpoint.id}, ${endpoint.url}, ${endpoint.host}, ${endpoint.description}, ${endpoint.event_types}::text[],
      ${endpoint.enabled}, ${JSON.stringify(endpoint.secrets)}::jsonb, ${endpoint.created_at}, ${endpoint.created_at})
    returning ${COLUMNS}`.execute(tx)
  return rows[0]!
}

/** Writes every column that can be changed. */
export async function updateEndpoint(tx: Tx, endpoint: EndpointRow, now: Date): Promise<EndpointRow> {
  const { rows } = await sql<EndpointRow>`/* update-webhook-endpoint */
    update webhook_endpoints set url = ${endpoint.url}, host = ${endpoint.host}, description = ${endpoint.description},
      event_types = ${endpoint.event_types}::text[], enabled = ${endpoint.enabled}, disabled_reason = ${endpoint.disabled_reason},
      failing_since = ${endpoint.failing_since}, secrets = ${JSON.stringify(endpoint.secrets)}::jsonb, updated_at = ${now}
    where project_id = ${endpoint.project_id} and id = ${endpoint.id}
    returning ${COLUMNS}`.execute(tx)
  return rows[0]!
}

/** Its deliveries are removed later, see `deleteOldDeliveries`. */
export async function deleteEndpoint(tx: Tx, projectId: string, id: string): Promise<void> {
  await sql`/* delete-webhook-endpoint */
    delete from webhook_endpoints where project_id = ${projectId} and id = ${id}`.execute(tx)
}

/** Undefined if it is disabled already. */
export async function disableEndpoint(
  tx: Tx,
  projectId: string,
  id: string,
  reason: 'failing' | 'gone',
  now: Date,
): Promise<{ url: string; projectName: string } | undefined> {
  const { rows } = await sql<{ url: string; projectName: string }>`/* disable-webhook-endpoint */
    update webhook_endpoints w set enabled = false, disabled_reason = ${reason}, updated_at = ${now}
    from projects p where p.id = w.project_id and w.project_id = ${projectId} and w.id = ${id} and w.enabled
    returning w.url, p.name as "projectName"`.execute(tx)
  return rows[0]
}
