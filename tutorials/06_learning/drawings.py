from drawing import Drawing


def drawings():
    d = Drawing(
        "training_step", 600, 210,
        "One step of training, clockwise: the points go through the net, which gives the loss; backward gives each parameter"
        " its gradient; gradients are clipped; the optimiser changes the parameters at the learning rate that the schedule"
        " names; zero_grad clears the gradients, and the next step begins.",
    )  # fmt: skip
    points = d.box(10, 20, 90, 40, "points")
    net = d.box(150, 20, 130, 40, "net, forward")
    loss = d.box(330, 20, 80, 40, "loss")
    back = d.box(460, 20, 130, 40, "backward", role="gradient")
    clip = d.box(460, 130, 130, 40, "clip the norm", role="gradient")
    step = d.box(280, 130, 130, 40, "optimiser.step")
    zero = d.box(90, 130, 130, 40, "zero_grad", role="gradient")
    d.arrow(points.right, net.left)
    d.arrow(net.right, loss.left)
    d.arrow(loss.right, back.left, role="gradient")
    d.arrow(back.bottom, clip.top, role="gradient", text="gradients")
    d.arrow(clip.left, step.right, role="gradient")
    d.arrow((345, 130), (345, 95), (215, 95), net.bottom)
    d.text(352, 108, "new parameters", 12, "start")
    d.arrow((430, 195), (345, 195), step.bottom)
    d.text(437, 195, "the schedule's rate", 12, "start")
    d.arrow(step.left, zero.right)
    yield d
