ALTER TABLE `logs` RENAME COLUMN `task_uuid` TO `session_goal_uuid`;
