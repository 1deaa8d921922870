-- Sign-ups at the same time could each have become the operator. The first account keeps the role.
update users set operator = false
where operator and id <> (select id from users where operator order by created_at, id limit 1);
create unique index users_operator on users (operator) where operator;
