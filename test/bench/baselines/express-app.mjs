/** The routes of both Express baselines: Express 5 as in its guide, with `express.json()` and `res.json()`. */
import express from "express";
import {
  byPhone,
  codes,
  createProfile,
  createSession,
  listProfiles,
  profiles,
  sendPasscode,
  updateProfile,
} from "./service.mjs";

export const app = express();
app.use(express.json());

app.get("/v1/profiles", (req, res) => {
  const { page = "1", limit = "25" } = req.query;
  res.json(listProfiles(Number(page), Number(limit)));
});
app.get("/v1/profiles/:userId", (req, res) => {
  const profile = profiles.get(req.params.userId);
  if (profile === undefined) res.status(404).json({});
  else res.json(profile);
});
app.put("/v1/profiles/:userId", (req, res) => {
  const profile = profiles.get(req.params.userId);
  if (profile === undefined) res.status(404).json({});
  else res.json(updateProfile(profile, req.body));
});
app.post("/v1/users/session", async (req, res) => {
  const { user } = req.body;
  if (!byPhone.has(user.phone)) {
    res.json(await createSession(createProfile(user).userId));
    return;
  }
  sendPasscode(user.phone);
  res.status(202).end();
});
app.put("/v1/users/session", async (req, res) => {
  const { user, passcode } = req.body;
  const profile = byPhone.get(user.phone);
  if (profile === undefined || codes.get(user.phone) !== passcode) {
    res.status(401).json({});
    return;
  }
  codes.delete(user.phone);
  res.json(await createSession(profile.userId));
});
app.get("/code/:to", (req, res) => {
  res.json(codes.get(req.params.to));
});
