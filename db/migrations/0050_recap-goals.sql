-- A recap that was stored before it kept the totals of its goals gets them as they are now (G-32).
UPDATE `sessions` SET `recap` = json_set(`recap`, '$.goals', json((
  SELECT json_group_array(json_object('title', title, 'unit', unit, 'amount', amount, 'distance', distance, 'duration', duration))
  FROM (SELECT g.title, g.unit, coalesce(sum(t.amount), 0) AS amount, coalesce(sum(t.distance), 0) AS distance, coalesce(sum(t.duration), 0) AS duration
    FROM goals g LEFT JOIN session_totals t ON t.session_id = g.session_id AND t.goal_uuid = g.uuid
    WHERE g.session_id = `sessions`.`id` GROUP BY g.id ORDER BY g.position, g.id))))
WHERE `recap` IS NOT NULL AND `recap` ->> '$.goals' IS NULL;
