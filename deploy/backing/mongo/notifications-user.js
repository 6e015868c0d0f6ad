// Creates the user of notifications, who can only read and write its own database. The image runs this on an empty volume. Running it again
// resets the permissions, and sets the password from the environment.
const users = db.getSiblingDB('admin');
const user = 'notifications';
const rights = { pwd: process.env.NOTIFICATIONS_PASSWORD, roles: [{ role: 'readWrite', db: 'atrium' }] };
const isThere = users.runCommand({ usersInfo: user }).users.length > 0;
const { ok, errmsg } = users.runCommand({ [isThere ? 'updateUser' : 'createUser']: user, ...rights });
if (ok !== 1) throw new Error(errmsg);
