/** Stripe customers of projects, and the Stripe events that were handled. */
import type { Selectable } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { BillingCustomers } from '../../../platform/database/tables.ts'

const CUSTOMER = [
  'customer_id',
  'subscription_id',
  'subscription_status',
  'period_ends_at',
  'cancels_at_period_end',
] as const

export type CustomerRow = Pick<Selectable<BillingCustomers>, (typeof CUSTOMER)[number]>

export async function findCustomer(db: Database, projectId: string): Promise<CustomerRow | undefined> {
  return db.selectFrom('billing_customers').select(CUSTOMER).where('project_id', '=', projectId).executeTakeFirst()
}

export async function findProjectOfCustomer(tx: Tx, customerId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('billing_customers')
    .select('project_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.project_id
}

/** If two requests create a customer, the first is stored; returns the stored one. */
export async function saveCustomer(db: Database, projectId: string, customerId: string, now: Date): Promise<string> {
  const { rows } = await sql<{ customer_id: string }>`/* keep-customer */
    insert into billing_customers (project_id, customer_id, created_at, updated_at)
    values (${projectId}, ${customerId}, ${now}, ${now})
    on conflict (project_id) do update set updated_at = billing_customers.updated_at
    returning customer_id`.execute(db)
  return rows[0]!.customer_id
}

export async function setSubscription(
  db: Database,
  projectId: string,
  subscription: Omit<CustomerRow, 'customer_id'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ ...subscription, updated_at: now })
    .where('project_id', '=', projectId)
    .execute()
}

export async function deleteCustomer(db: Database, projectId: string): Promise<void> {
  await db.deleteFrom('billing_customers').where('project_id', '=', projectId).execute()
}

/** The name and email of a new customer. */
export async function findPayer(
  db: Database,
  projectId: string,
): Promise<{ name: string; email: string | null } | undefined> {
  const { rows } = await sql<{ name: string; email: string | null }>`/* find-payer */
    select p.name, u.email from projects p
    left join members m on m.project_id = p.id and m.role = 'OWNER'
    left join users u on u.id = m.user_id
    where p.id = ${projectId} limit 1`.execute(db)
  return rows[0]
}

/** False if the event was handled before. */
export async function claimStripeEvent(tx: Tx, event: { id: string; type: string }, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`/* record-stripe-event */
    insert into stripe_events (id, type, received_at) values (${event.id}, ${event.type}, ${now})
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows) > 0
}

export async function deleteEventsBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('stripe_events').where('received_at', '<', before).execute()
}
