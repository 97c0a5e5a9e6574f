"""Statistics of answers: functions of an answer table whose results are rows."""
