export function causeOf(mailingId: string): string {
  const [eventId = mailingId] = mailingId.split(':', 1);
  return eventId;
}
