export const TASK_STATUSES = ['todo', 'in-progress', 'review', 'done'] as const;
export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;
export const MEETING = { type: 'standup', meetingLink: 'https://meet.example.org/room' } as const;
