-- A step type decides which branches its transitions can have (features/automation/steps), as it decides everything else.
alter table workflow_transitions drop constraint workflow_transitions_branch_check;
