-- Keys for tests: what they send is stored and never delivered or counted. Null where an email is no test.
alter table api_keys add column test boolean not null default false;
alter table emails add column test boolean;
