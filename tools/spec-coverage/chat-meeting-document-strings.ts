import { type SpecString, toSpecStrings } from './spec-string.ts';

const CHAT = [
  ...toSpecStrings('2', {
    'Team Chat': [
      'Connected',
      'Disconnected',
      'No messages yet',
      'Start the conversation!',
      'Welcome to Team Chat',
      'Delete this conversation and all messages? This cannot be undone.',
    ],
  }),
  ...toSpecStrings('5', {
    'Create channel': [
      'Channel name is required',
      'Channel name can only contain lowercase letters, numbers, and hyphens',
    ],
    'Rename conversation': ['Conversation name cannot be empty'],
  }),
  ...toSpecStrings('6', { 'Chat info': ["You don't have permission to manage this conversation."] }),
  ...toSpecStrings('8', {
    'Team Chat': [
      'Failed to load conversations',
      'Could not delete conversation',
      'Delete failed',
      'Failed to send message',
      'Failed to create channel',
      'Failed to start conversation',
      'Failed to add participant',
      'Failed to remove participant',
      'Failed to update conversation name',
      'removed from conversation',
      'Conversation name updated successfully',
      '{name} added to the conversation',
      '{name} removed from the conversation',
    ],
  }),
];

const MEETINGS = [
  ...toSpecStrings('2', {
    Meetings: ['Showing page {X} of {Y} ({N} total items)', 'Add Meeting Notes & Summary'],
  }),
  ...toSpecStrings('5', {
    'Meeting form': [
      'Meeting title is required',
      'Date is required',
      'Start time is required',
      'End time is required',
      'End time must be after start time',
      'Meeting time cannot be in the past',
      'Meeting type is required',
      'At least one participant is required',
      'Meeting link is required',
      'Please enter a valid URL',
      'Frequency is required for recurring meetings',
    ],
  }),
  ...toSpecStrings('8', {
    Meetings: [
      'Failed to load upcoming meetings',
      'Failed to load past meetings',
      'Failed to create meeting',
      'Failed to update meeting',
      'Failed to delete meeting',
      'Failed to add notes and summary',
      'Meeting created successfully! Invitations sent to participants.',
      'Meeting updated successfully',
      'Meeting deleted successfully',
      'Notes and summary added successfully',
    ],
  }),
];

const DOCUMENTS = [
  ...toSpecStrings('2', { 'Document Hub': ['{name} (You)'] }),
  ...toSpecStrings('8', {
    Download: [
      'Download URL not available. File storage may not be configured.',
      'Download URL not available',
      'Failed to download file from storage',
      'Failed to download document',
    ],
    'Document Hub': [
      'Failed to load documents',
      'Failed to upload files',
      'Failed to delete document',
      'Failed to share document',
      'Failed to update document',
    ],
  }),
];

export const CHAT_MEETING_DOCUMENT_STRINGS: readonly SpecString[] = [...CHAT, ...MEETINGS, ...DOCUMENTS];
