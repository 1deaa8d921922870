-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* find-payer */
select p.name, u.email from projects p
left join members m on m.project_id = p.id and m.role = 'OWNER'
left join users u on u.id = m.user_id
where p.id = $1 limit 1;

/* keep-customer */
insert into billing_customers (project_id, customer_id, created_at, updated_at)
values ($1, $2, $3, $4)
on conflict (project_id) do update set updated_at = billing_customers.updated_at
returning customer_id;

/* record-stripe-event */
insert into stripe_events (id, type, received_at) values ($1, $2, $3)
on conflict do nothing;
