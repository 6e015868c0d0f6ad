import { CHAT_MEETING_DOCUMENT_STRINGS } from './chat-meeting-document-strings.ts';
import { type SpecString, toApiStrings, toSpecStrings } from './spec-string.ts';

const SECTION_2 = toSpecStrings('2', {
  'Not found': ['Oops! Page not found'],
  Login: ['Welcome back', 'Sign in to your account to continue', 'Sign In', 'Signing in...', 'Forgot your password?'],
  'Accept invitation': ['Accept Invitation & Join Team', 'Activating Account...', 'Invalid Invitation'],
  Shell: ['Account Settings', 'Dashboard', 'Progress Tracker', 'Departments', 'User Management'],
  'Availability banner': ['Server is currently unavailable. Some features may not work properly.'],
  'Error fallback': [
    'Something went wrong',
    "We're sorry, but something unexpected happened. Our team has been notified.",
    'Return to Dashboard',
    'Refresh Page',
  ],
  Dashboard: [
    'Team Dashboard',
    'Active Projects',
    'Completed Projects',
    'Overdue Projects',
    'Team Members',
    'Recent Projects',
    'View All',
    'New Project',
    'Create Your First Project',
    'Upcoming Meetings',
    'View All Meetings',
    'Schedule Meeting',
  ],
  'Progress Tracker': [
    'All Status',
    'All Priority',
    'High/Urgent',
    'Invite Member',
    'No projects found',
    'Try adjusting your filters',
    'Create your first project to get started',
    'Create New Project',
    'Edit Project',
    'Danger Zone',
    'Invite Team Member',
  ],
  'User Management': ['Page {x} of {y}', 'Retry Users', 'Retry Stats', 'Retry Departments'],
  Departments: ['Manage Departments'],
});

const SECTION_4 = toSpecStrings('4', { Departments: ['Deactivate'] });

const SECTION_5 = toSpecStrings('5', {
  Login: [
    'Email is required',
    'Please enter a valid email address',
    'Password is required',
    'Password must be at least 6 characters',
  ],
  'Password strength': [
    'Password must be at least 8 characters long',
    'Password must not exceed 100 characters',
    'Password must contain at least one lowercase letter',
    'Password must contain at least one uppercase letter',
    'Password must contain at least one number',
    'Password must contain at least one special character',
  ],
  'Accept invitation': ['Please confirm your password', 'Passwords do not match', 'Please enter a valid phone number'],
  'Create project': [
    'Project title is required',
    'Project description is required',
    'Please select a project manager',
    'Please select a priority level',
    'Please select an initial status',
  ],
  'Edit project': [
    'Project Manager cannot be changed.',
    'Progress can only be updated when status is "In Progress" or "Completed"',
    'Cannot revert status from "Completed". Completed projects are final.',
  ],
  Departments: ['Department name is required'],
  'Edit user': ['First name and last name are required', 'Validation Error'],
});

const SECTION_6 = toSpecStrings('6', {
  'Edit project': [
    'Only Admin and Project Manager can update progress',
    "You don't have permission to delete this project.",
  ],
});

const SECTION_8 = toSpecStrings('8', {
  Transport: ['An error occurred', 'Network error - please check your connection'],
  Login: ['Login successful', 'Welcome back!', 'Login failed', 'Invalid credentials'],
  'Accept invitation': [
    'Invalid Invite',
    'No invitation token found. Please check your invitation link.',
    'Welcome!',
    'Your account has been activated. Welcome to the team, {name}!',
    'This invitation has expired. Please contact your administrator for a new invite.',
    'Invalid invitation token. Please check your invitation link.',
    'Failed to accept invitation. Please try again.',
  ],
  Dashboard: ['Failed to load dashboard data'],
  Projects: [
    'Failed to load projects',
    'Failed to create project',
    'Failed to update project',
    'Failed to delete project',
    'Project created successfully! Team members will receive email notifications.',
    'Project updated successfully',
    'Project deleted successfully',
    'Are you sure you want to delete this project? This action cannot be undone.',
  ],
  Departments: [
    'Failed to load departments',
    'Failed to save department',
    'Failed to delete department',
    'Department created successfully',
    'Department updated successfully',
    'Department deleted successfully',
  ],
  Invitations: ['Failed to send invitation', 'Invitation sent successfully'],
  People: [
    'Failed to load team members',
    'Failed to load users',
    'Failed to load user stats',
    'Failed to update user',
    'Failed to delete user',
  ],
  Settings: ['Failed to update settings'],
});

const API_STRINGS = [
  ...toApiStrings('5', {
    'Create project': ['Budget must be a valid number', 'Invalid priority value'],
    'Edit project': ['Invalid project manager selection', 'Progress cannot decrease from {X}% to {Y}%'],
  }),
  ...toApiStrings('8', {
    Transport: ['No refresh token available'],
    'Accept invitation': ['Invalid invitation token'],
  }),
];

/** Texts of section 8 that no screen shows, so they cannot be checked. */
export const UNSHOWN = [
  'Request failed',
  'No authentication token available',
  'Connection timeout',
  'WebSocket not connected',
  'Authentication error',
] as const;

/** Every text in quotation marks in sections 2, 5, and 8 of the specification, and the labels next to them. */
export const STRINGS: readonly SpecString[] = [
  ...SECTION_2,
  ...SECTION_4,
  ...SECTION_5,
  ...SECTION_6,
  ...SECTION_8,
  ...API_STRINGS,
  ...CHAT_MEETING_DOCUMENT_STRINGS,
];
