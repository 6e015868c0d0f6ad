// The user of notifications: reads and writes the documents of its database, and has no other right. The image runs this on an empty
// volume. It may run again: the user gets these rights, and the password that the environment has.
const users = db.getSiblingDB('admin');
const user = 'notifications';
const rights = { pwd: process.env.NOTIFICATIONS_PASSWORD, roles: [{ role: 'readWrite', db: 'atrium' }] };
const isThere = users.runCommand({ usersInfo: user }).users.length > 0;
const { ok, errmsg } = users.runCommand({ [isThere ? 'updateUser' : 'createUser']: user, ...rights });
if (ok !== 1) throw new Error(errmsg);
