-- One job, `fold-tallies`, does what these did. What they would have folded is still recorded in the tables of changes.
delete from posthorn_queue.jobs
where name in ('fold-contact-counts', 'fold-event-counts', 'fold-usage', 'check-reputations');
delete from posthorn_queue.job_kinds
where name in ('fold-contact-counts', 'fold-event-counts', 'fold-usage', 'check-reputations');
